import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, describeInBrowser, VIEWS, WIDTHS } from '../support/browser.js';
import { TestServer } from '../support/server.js';

const page = (text: string) => `<title>t</title><main><h1>Install</h1><p>${text}</p><p>The end.</p></main>`;

describeInBrowser('The comparison of two versions in a browser', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const long = `deep/${'long-name-of-a-directory/'.repeat(4)}page.html`;
    await server.upload('tool-1.0-docs.zip', {
      'index.html': page('Type the old command.'),
      'moved.html': page('moved'),
      [long]: page('one'),
    });
    await server.upload('tool-2.0-docs.zip', {
      'index.html': page('Type the new command.'),
      'to/moved.html': page('moved'),
      [long]: page('two'),
    });
  });
  after(() => server.close());

  for (const [name, view] of VIEWS) {
    it(`lists pages, and links to the changed words (${name})`, () =>
      browser.see(`${server.url}/-/projects/tool`, view, async (seen) => {
        await seen.getByRole('link', { name: 'Compare versions' }).click();
        await seen.waitForURL('**/-/compare/tool/1.0/2.0');
        await assertAccessible(seen);
        await assertFits(seen);
        assert.equal(await seen.locator('pre').innerText(), '/moved.html /to/moved.html 301');
        const listed = seen.locator('.compared-pages li', { hasText: 'index.html' });
        assert.equal(await listed.textContent(), 'Install index.html +1 added −1 removed words');
        // The whole row leads to the comparison.
        await listed.click();
        await seen.waitForURL('**/-/compare/tool/1.0/2.0/');
        assert.equal(await seen.locator('del').innerText(), 'old');
        assert.equal(await seen.locator('ins').innerText(), 'new');
        await assertAccessible(seen);
        await assertFits(seen);
      }));
  }

  for (const [name, view] of VIEWS) {
    it(`preserves code, and steps through changes by keys and buttons (${name})`, async () => {
      for (const [label, word] of [
        ['1.0', 'one'],
        ['2.0', 'two'],
      ]) {
        const code = `<pre>def run():\n    return "${word}"</pre>`;
        const same = '<p>The same.</p>'.repeat(30);
        await server.upload(`code-${label}-docs.zip`, {
          'index.html': `<title>t</title><main><h1>Run</h1>${code}${same}<p>It says ${word} in the end.</p></main>`,
        });
      }
      const address = `${server.url}/-/compare/code/1.0/2.0/`;
      await browser.see(address, { ...view, alone: true }, async (seen) => {
        const lines = await seen.locator('.compared-code').textContent();
        assert.equal(lines, 'def run():\n    return "onetwo"\n');
        const focused = () => seen.locator(':focus').textContent();
        await seen.getByText('2 changes').waitFor();
        await seen.keyboard.press('n');
        assert.equal((await focused())?.trim(), 'return "onetwo"');
        await seen.keyboard.press('n');
        assert.equal(await focused(), 'It says onetwo in the end.');
        await seen.getByText('Change 2 of 2').waitFor();
        await seen.keyboard.press('p');
        assert.equal((await focused())?.trim(), 'return "onetwo"');
        await seen.getByRole('button', { name: 'Next' }).click();
        await seen.getByText('Change 2 of 2').waitFor();
        await assertAccessible(seen);
        await assertFits(seen);
      });
    });
  }

  for (const [name, view] of VIEWS) {
    it(`shows the page beside its changes, by keys and by links (${name})`, async () => {
      for (const [label, word] of [
        ['1.0', 'slowly'],
        ['2.0', 'quickly'],
      ]) {
        const far = '<p>The same.</p>'.repeat(60);
        const code = `<pre>def run():\n\n    wait("${word}")</pre>`;
        await server.upload(`beside-${label}-docs.zip`, {
          'index.html': `<!doctype html><title>t</title><meta name="viewport" content="width=device-width"><main><h1>Run</h1>
            <p>Water boils ${word} here.</p>${far}<h2 id="end">End</h2>${code}${far}</main>`,
        });
      }
      const address = `${server.url}/-/compare/beside/1.0/2.0/`;
      await browser.see(address, { ...view, alone: true }, async (seen) => {
        await seen.getByRole('link', { name: 'On the page' }).click();
        await seen.waitForURL(`${address}?view=page`);
        const page = seen.frameLocator('iframe');
        await page.getByText('Water boils quickly here.').waitFor();
        const top = (to: string) => seen.waitForFunction(`frames[0]?.scrollY ${to}`);
        await seen.getByText('2 changes').waitFor();
        await seen.keyboard.press('n');
        await seen.getByText('Change 1 of 2').waitFor();
        await seen.keyboard.press('n');
        await seen.getByText('Change 2 of 2').waitFor();
        assert.match((await seen.locator(':focus').textContent()) ?? '', /wait\("slowlyquickly"\)/);
        await top('> 500');
        await seen.keyboard.press('p');
        await top('< 500');
        await assertAccessible(seen);
        await assertFits(seen);
        await seen.locator('.compared-change').nth(1).click();
        await top('> 500');
        await seen.getByText('Change 2 of 2').waitFor();
        await seen.getByRole('link', { name: 'Text', exact: true }).click();
        await seen.waitForURL(address);
      });
    });
  }

  it('runs no script of the site in the frame, and links into it without scripts', async () => {
    for (const [label, word] of [
      ['1.0', 'one'],
      ['2.0', 'two'],
    ]) {
      await server.upload(`script-${label}-docs.zip`, {
        'index.html': `<!doctype html><title>t</title><h1 id="top">T</h1><p>It says ${word}.</p><noscript><p id="quiet">No scripts.</p></noscript>
          <script>parent.document.title = 'taken'</script>`,
      });
    }
    const address = `${server.url}/-/compare/script/1.0/2.0/?view=page`;
    await browser.see(address, { foreign: true }, async (seen) => {
      await seen.frameLocator('iframe').locator('#quiet').waitFor();
      assert.match(await seen.title(), /^T: 1\.0 and 2\.0/);
    });
    await browser.see(address, { scripts: false, foreign: true }, async (seen) => {
      await seen.getByRole('link', { name: /It says/ }).click();
      await seen.frame({ name: 'compared-page' })?.waitForURL('**/script-2.0/#top');
    });
  });

  for (const width of WIDTHS) {
    it(`offers a choice of versions without scripts (${width} px)`, () =>
      browser.see(`${server.url}/-/compare/tool/1.0/2.0`, { width, scripts: false }, async (seen) => {
        await seen.getByLabel('From').selectOption('2.0');
        await seen.getByLabel('To').selectOption('1.0');
        await seen.getByRole('button', { name: 'Compare' }).click();
        await seen.waitForURL('**/-/compare/tool/2.0/1.0');
        await assertFits(seen);
      }));
  }
});
