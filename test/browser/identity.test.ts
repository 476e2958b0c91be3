import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { assertAccessible, assertFits, describeInBrowser, VIEWS } from '../support/browser.js';
import { TestServer } from '../support/server.js';

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28"><script>alert(1)</script><rect width="28" height="28"/></svg>`;

describeInBrowser('The pages of a server with a site file', (browser) => {
  let directory: string;
  let server: TestServer;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-identity-'));
    await writeFile(join(directory, 'logo.svg'), LOGO);
    const site = {
      title: 'Example Documentation of Everything',
      logo: 'logo.svg',
      // Hardly enough contrast in both themes.
      accent: { light: '#6b6f79', dark: '#858a96' },
      introduction: '# Welcome\n\n**All** of it. [Handbook](/handbook-latest/)\n\n```\nlectern push\n```',
      links: [{ label: 'Imprint', url: 'https://example.org/imprint' }],
      notice: 'Closed on Sunday.',
    };
    await writeFile(join(directory, 'site.json'), JSON.stringify(site));
    server = await TestServer.start({ site: join(directory, 'site.json') });
    const docinfo = '{"tags":["sdk"],"group":"Tools","owner":"Blue"}';
    await server.upload('tool-1.0-docs.zip', { 'index.html': '', 'docinfo.json': docinfo });
    await server.upload('tool-2.0rc1-docs.zip');
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  for (const [name, view] of VIEWS) {
    it(`have the site's title, logo, colour, notice and links, legibly (${name})`, () =>
      browser.see(server.url, view, async (page) => {
        for (const path of ['/', '/?tag=sdk', '/-/projects/tool', '/-/upload', '/help', '/none-1.0/']) {
          await page.goto(server.url + path);
          assert.match(await page.title(), /Example Documentation of Everything$/);
          assert.ok(await page.getByText('Closed on Sunday.').isVisible(), path);
          assert.ok(await page.getByRole('link', { name: 'Imprint' }).isVisible(), path);
          assert.equal(await page.evaluate(`document.querySelector('.brand-logo').naturalWidth`), 28, path);
          await assertAccessible(page);
          await assertFits(page);
        }
        const colour = await page
          .locator('.nav-link')
          .first()
          .evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));
        assert.equal(colour, view.dark ? '#858a96' : '#6b6f79');
      }));
  }

  it("break no word of the title in a phone's header", () =>
    browser.see(server.url, { width: 320 }, async (page) => {
      await assertFits(page);
      const lines = await page.evaluate(`(() => {
        const name = document.querySelector('.brand-name');
        return name.textContent.split(' ').map((word, index, all) => {
          const range = document.createRange();
          const start = all.slice(0, index).join(' ').length + (index > 0 ? 1 : 0);
          range.setStart(name.firstChild, start);
          range.setEnd(name.firstChild, start + word.length);
          return range.getClientRects().length;
        });
      })()`);
      assert.deepEqual(lines, [1, 1, 1, 1]);
    }));

  it('send logo and style sheet with types and revalidation, and block scripts of an SVG', async () => {
    const logo = await server.get('/-/identity/logo.svg');
    assert.equal(await logo.text(), LOGO);
    assert.match(logo.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    assert.match(logo.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.ok(logo.headers.get('etag'));
    const style = await server.get('/-/identity/accent.css');
    assert.match(style.headers.get('content-type') ?? '', /^text\/css/);
    await style.body?.cancel();
    assert.equal((await server.get('/-/identity/site.json')).status, 404);
  });
});
