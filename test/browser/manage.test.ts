import assert from 'node:assert/strict';
import { after, beforeEach, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertFits,
  describeInBrowser,
  PLAIN_HTTP_HOST,
  VIEWS,
} from '../support/browser.js';
import { TestServer } from '../support/server.js';

const KEEP_MS = 7 * 24 * 60 * 60 * 1_000;
/** Statuses of refusals that the page shows; the browser reports each on the console. */
const REFUSALS = [400, 401, 403, 404, 409];
const SITE = { 'index.html': '<!doctype html><title>Site a documentation</title><h1>Front</h1>' };

describeInBrowser('The manage page of a project', (browser) => {
  let server: TestServer | undefined;
  const started = () => {
    assert.ok(server !== undefined);
    return server;
  };
  beforeEach(async () => {
    await server?.close();
    server = await TestServer.start({ keepRemovedMs: KEEP_MS });
    for (const version of ['1.0', '2.0', '2.1', '2.1-rc1'])
      await server.upload(`a-${version}-docs.zip`, SITE);
  });
  after(() => server?.close());
  const address = () => `${started().url}/-/manage/a`;
  const facts = async () => (await started().get('/api/projects/a')).json();
  const open = async (page: Page, token = 'secret-owner') => {
    await page.fill('#token', token);
    await page.click('#send');
  };
  const opened = async (page: Page) => {
    await open(page);
    await page.locator('#managed').waitFor();
  };
  /** Waits for a section's message about what was done. */
  const said = async (page: Page, section: string) => {
    await page.locator(`#${section}-said:not(:empty)`).waitFor();
    return page.locator(`#${section}-said`).innerText();
  };
  const row = (page: Page, list: string, name: string) =>
    page.locator(`#${list}-rows > li`).filter({ has: page.locator('[data-part=name]', { hasText: name }) });
  const act = (page: Page, version: string, what: string) =>
    page.getByRole('button', { name: `${what} ${version}`, exact: true }).click();
  const agree = (page: Page) => page.click('#question-yes');
  const unfold = async (page: Page, ...sections: string[]) => {
    for (const section of sections) await page.click(`#${section} > summary`);
  };

  for (const [name, view] of VIEWS) {
    it(`shows nothing without a token, and everything with a token that has allow_manage (${name})`, () =>
      browser.see(
        address(),
        view,
        async (page) => {
          await assertAccessible(page);
          await assertFits(page);
          assert.equal(await page.locator('#managed').isVisible(), false);
          await page.click('#send');
          assert.equal(await page.locator('#token-error').innerText(), 'Managing a project needs a token.');
          for (const [token, why] of [
            ['wrong', /unknown/],
            ['secret-admin', /allow_manage/],
          ] as const) {
            await open(page, token);
            await page.locator('#token-error', { hasText: why }).waitFor();
            assert.equal(await page.locator('#managed').isVisible(), false);
          }
          await opened(page);
          assert.equal(await page.evaluate('document.activeElement.id'), 'managed-with');
          assert.equal(await page.locator('#managed-with').innerText(), 'With token owner');
          assert.equal(await page.locator('#version-rows > li').count(), 4);
          await assertAccessible(page);
          await assertFits(page);
        },
        REFUSALS,
      ));
  }

  it("describes the project, and shows the site's own value beside each empty field", () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      assert.equal(await page.getAttribute('#about-title', 'placeholder'), 'Site a');
      await page.fill('#about-title', ' Ledger ');
      await page.fill('#about-tags', 'sdk, payments,');
      await page.click('#about-form button');
      assert.equal(await said(page, 'about'), 'Updated a: tags, title.');
      assert.deepEqual((await facts()).settings.about, { title: 'Ledger', tags: ['sdk', 'payments'] });
      await page.fill('#about-tags', '');
      await page.click('#about-form button');
      await page.locator('#about-said', { hasText: /: title\.$/ }).waitFor();
      assert.deepEqual((await facts()).settings.about, { title: 'Ledger' });
    }));

  it("shows the server's refusal of a description, keeps the typed text, and changes nothing", () =>
    browser.see(
      address(),
      {},
      async (page) => {
        await opened(page);
        await page.fill('#about-tags', 'x'.repeat(41));
        await page.click('#about-form button');
        await page.locator('#about-failure', { hasText: /about\.tags: expected at most 40/ }).waitFor();
        assert.equal(await page.inputValue('#about-tags'), 'x'.repeat(41));
        assert.equal((await facts()).settings.about, undefined);
      },
      REFUSALS,
    ));

  it('pins the latest version, and sets and removes an alias', () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      await unfold(page, 'aliases');
      await page.selectOption('#latest', '1.0');
      await page.click('#latest-form button');
      await said(page, 'aliases');
      assert.equal((await facts()).latest_version_dir, 'a-1.0');
      await page.selectOption('#latest', '');
      await page.click('#latest-form button');
      await page.locator('#aliases-said', { hasText: 'not pinned' }).waitFor();
      assert.equal((await facts()).latest_version_dir, 'a-2.1');
      await page.fill('#alias', 'stable');
      await page.fill('#target', '2.x');
      await page.keyboard.press('Enter');
      await row(page, 'alias', 'stable').waitFor();
      assert.match(await row(page, 'alias', 'stable').innerText(), /2\.x, now 2\.1/);
      await page.getByRole('button', { name: 'Remove stable' }).click();
      await row(page, 'alias', 'stable').waitFor({ state: 'detached' });
      assert.equal((await facts()).settings.aliases, undefined);
    }));

  it('hides a version and shows it again by the keyboard, and keeps the focus on the button', () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      await page.getByRole('button', { name: 'Hide 1.0' }).focus();
      await page.keyboard.press('Enter');
      await said(page, 'versions');
      assert.deepEqual((await facts()).settings.hidden, ['1.0']);
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Show 1.0');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Hide 1.0' }).waitFor();
      assert.equal((await facts()).settings.hidden, undefined);
    }));

  it('deprecates a version with a sentence, and undoes it without a question', () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      await act(page, '1.0', 'Deprecate');
      assert.equal(await page.evaluate('document.activeElement.id'), 'typed');
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      assert.equal((await facts()).settings.deprecated, undefined);
      await act(page, '1.0', 'Deprecate');
      await page.fill('#typed', ' ');
      assert.equal(await page.locator('#question-yes').isEnabled(), false);
      await page.fill('#typed', 'Use 2.1.');
      await page.keyboard.press('Enter');
      await said(page, 'versions');
      assert.deepEqual((await facts()).settings.deprecated, { '1.0': 'Use 2.1.' });
      await act(page, '1.0', 'No longer deprecated');
      await page.getByRole('button', { name: 'Deprecate 1.0', exact: true }).waitFor();
      assert.equal((await facts()).settings.deprecated, undefined);
    }));

  for (const [name, view] of VIEWS) {
    it(`deletes a version once its name is typed, and undoes it (${name})`, () =>
      browser.see(address(), view, async (page) => {
        await opened(page);
        await act(page, '1.0', 'Delete');
        assert.match(await page.locator('#question-words').innerText(), /can be restored for 7 days/);
        const field = page.getByLabel('Type 1.0 to confirm');
        assert.equal(await page.evaluate('document.activeElement.id'), await field.getAttribute('id'));
        await assertAccessible(page);
        await assertFits(page);
        for (const wrong of ['', '1', '2.0', '1.0.']) {
          await field.fill(wrong);
          assert.equal(await page.locator('#question-yes').isEnabled(), false, wrong);
          await page.keyboard.press('Enter');
        }
        await page.keyboard.press('Escape');
        assert.equal((await facts()).versions.length, 4);
        await act(page, '1.0', 'Delete');
        assert.equal(await field.inputValue(), '');
        await page.keyboard.type('1.0');
        await page.keyboard.press('Enter');
        assert.match(await said(page, 'versions'), /1\.0/);
        assert.equal((await facts()).versions.length, 3);
        await unfold(page, 'removed');
        assert.match(await row(page, 'removed', '1.0').innerText(), /deleted.*7 days left/s);
        await assertAccessible(page);
        await assertFits(page);
        await page.getByRole('button', { name: 'Undo' }).click();
        await row(page, 'version', '1.0').waitFor();
        assert.equal((await facts()).versions.length, 4);
        assert.equal((await started().get('/a-1.0/')).status, 200);
      }));
  }

  it('deletes a preview after a question, and shows when other previews expire', async () => {
    for (const name of ['pr-1', 'pr-2']) await started().upload(`a~${name}-docs.zip`, SITE);
    await browser.see(address(), {}, async (page) => {
      await opened(page);
      await unfold(page, 'previews');
      assert.match(await row(page, 'preview', 'pr-2').innerText(), /Published \d{4}-\S+\. Expires \d{4}-/);
      assert.equal(await page.locator('#no-preview-rows').isVisible(), false);
      await act(page, 'preview pr-1', 'Delete');
      assert.match(await page.locator('#question-words').innerText(), /pr-1 of a\? It cannot be restored/);
      await page.keyboard.press('Escape');
      assert.equal((await started().get('/a~pr-1/')).status, 200);
      for (const name of ['pr-1', 'pr-2']) {
        await act(page, `preview ${name}`, 'Delete');
        await agree(page);
        await row(page, 'preview', name).waitFor({ state: 'detached' });
        assert.equal((await started().get(`/a~${name}/`)).status, 404);
      }
      assert.match(await said(page, 'previews'), /Deleted .*pr-2/);
      assert.equal(await page.locator('#no-preview-rows').isVisible(), true);
      assert.equal((await facts()).versions.length, 4);
    });
  });

  it('folds all but the first sections, and says beside each heading what is in it', () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      const sections = page.locator('details.managed');
      assert.deepEqual(await sections.evaluateAll((all) => all.map(({ id }) => id)), [
        ...['about', 'versions', 'aliases', 'previews', 'retention', 'removed', 'danger'],
      ]);
      assert.deepEqual(
        await page.locator('details.managed[open]').evaluateAll((all) => all.map(({ id }) => id)),
        ['about', 'versions'],
      );
      for (const section of ['aliases', 'previews', 'removed'])
        assert.equal(await page.locator(`#${section}-tally`).innerText(), '0');
      assert.equal(await page.locator('#versions-tally').innerText(), '4');
      await unfold(page, 'aliases', 'previews', 'retention', 'removed', 'danger');
      // The pattern: whatever a section saves, its button is at the start of the last row, and one stands out.
      const saves = page.getByRole('button', { name: /^Save / });
      const starts = await saves.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
      assert.deepEqual([starts.length, new Set(starts).size], [4, 1]);
      assert.equal((await page.locator('#about-title').boundingBox())?.x, starts[0]);
      assert.equal(await page.locator('.button-primary:visible').count(), 1);
      await assertAccessible(page);
      await assertFits(page);
    }));

  it('deletes all versions once the name of the project is typed, and leaves the way back', () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      await unfold(page, 'danger');
      await page.click('#delete-all');
      assert.deepEqual(await page.locator('#question-list > li').allInnerTexts(), [
        '2.1',
        '2.1-rc1',
        '2.0',
        '1.0',
      ]);
      await page.getByLabel('Type a to confirm').fill('b');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('#question-yes').isEnabled(), false);
      await page.keyboard.press('Escape');
      assert.equal((await facts()).versions.length, 4);
      await page.click('#delete-all');
      await page.keyboard.type('a');
      await page.keyboard.press('Enter');
      assert.equal(await said(page, 'removed'), 'All versions of a are deleted.');
      await page.waitForFunction("document.activeElement?.id === 'removed-said'");
      assert.equal((await started().get('/api/projects/a')).status, 404);
      assert.equal(await page.locator('#danger').isVisible(), false);
      await page.getByRole('button', { name: /^Restore 2\.1,/ }).click();
      await page.locator('#versions').waitFor();
      assert.equal(await page.locator('#version-rows > li').count(), 1);
      assert.equal((await facts()).versions.length, 1);
    }));

  it('says which versions are left when deleting all of them breaks off', () =>
    browser.see(
      address(),
      {},
      async (page) => {
        await opened(page);
        await unfold(page, 'danger');
        await page.route('**/api/delete/a/2.1', (route) =>
          route.fulfill({ status: 503, json: { error: 'unavailable', message: 'The store is away' } }),
        );
        await page.click('#delete-all');
        await page.keyboard.type('a');
        await page.keyboard.press('Enter');
        assert.equal(await said(page, 'removed'), '3 of 4 versions of a are deleted.');
        assert.equal(await page.locator('#removed-failure').innerText(), 'The store is away.');
        assert.deepEqual(await page.locator('#version-rows [data-part=name]').allInnerTexts(), ['2.1']);
        await page.unrouteAll();
      },
      [...REFUSALS, 503],
    ));

  it('restores a project whose versions were all deleted', async () => {
    for (const version of ['1.0', '2.0', '2.1', '2.1-rc1']) await started().delete(`a/${version}`);
    await browser.see(address(), {}, async (page) => {
      await opened(page);
      assert.equal(await page.locator('#no-versions').isVisible(), true);
      assert.equal(await page.locator('#about').isVisible(), false);
      await page.getByRole('button', { name: /^Restore 2\.0,/ }).click();
      await row(page, 'version', '2.0').waitFor();
      assert.equal(await page.locator('#about').isVisible(), true);
      assert.equal((await facts()).versions.length, 1);
    });
  });

  it('asks before a restored version replaces another one', async () => {
    await started().upload('a-1.0-docs.zip', { 'index.html': 'new' }, 'owner');
    await browser.see(address(), {}, async (page) => {
      await opened(page);
      await unfold(page, 'removed');
      await page.getByRole('button', { name: /^Restore 1\.0, replaced/ }).click();
      assert.match(await page.locator('#question-words').innerText(), /1\.0 is published/);
      await page.keyboard.press('Escape');
      assert.equal(await (await started().get('/a-1.0/')).text(), 'new');
      await page.getByRole('button', { name: /^Restore 1\.0, replaced/ }).click();
      await agree(page);
      await said(page, 'removed');
      assert.equal(await (await started().get('/a-1.0/')).text(), SITE['index.html']);
    });
  });

  it("previews the removals of rules before saving, and returns to the server's rules", () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      assert.equal(await page.locator('#retention-tally').innerText(), 'Server defaults');
      await unfold(page, 'retention');
      assert.equal(await page.locator('#rule-keep_per_minor').isDisabled(), true);
      await page.check('input[value=project]');
      await page.fill('#rule-keep_pre_releases', '0');
      await page.click('#dry-run');
      assert.match(await said(page, 'retention'), /1 version is removed/);
      assert.deepEqual(await page.locator('#due > li').allInnerTexts(), ['2.1-rc1: no pre-release is kept']);
      assert.equal((await facts()).settings.retention, undefined);
      await page.click('#retention-form [type=submit]');
      await page.locator('#question-list > li').waitFor();
      await page.keyboard.press('Escape');
      assert.equal((await facts()).settings.retention, undefined);
      await page.click('#retention-form [type=submit]');
      await agree(page);
      await page.locator('#retention-said', { hasText: 'no pre-release is kept' }).waitFor();
      assert.deepEqual((await facts()).settings.retention, { keep_pre_releases: 0 });
      await page.check('input[value=server]');
      await page.click('#retention-form [type=submit]');
      await page.locator('#retention-said', { hasText: 'no rules of its own' }).waitFor();
      assert.equal((await facts()).settings.retention, undefined);
    }));

  it('offers no deletion to a token without allow_delete', () =>
    browser.see(address(), {}, async (page) => {
      await open(page, 'secret-manager');
      await page.locator('#managed').waitFor();
      assert.equal(await page.locator('#no-delete').isVisible(), true);
      assert.equal(await page.locator('#danger').isVisible(), false);
      assert.equal(await page.locator('[data-act=delete]:visible').count(), 0);
      assert.equal(await page.locator('[data-act=hide]:visible').count(), 4);
    }));

  it('keeps no token in storage, address or fields, nor for a returning reader', () =>
    browser.see(address(), {}, async (page) => {
      await opened(page);
      assert.deepEqual(
        await page.evaluate(`(async () => [
          localStorage.length,
          sessionStorage.length,
          document.cookie,
          (await indexedDB.databases()).length,
          location.search + location.hash,
          document.querySelector('#token').value,
        ])()`),
        [0, 0, '', 0, '', ''],
      );
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))');
      assert.equal(await page.locator('#managed').isVisible(), false);
      assert.equal(await page.locator('#version-rows > li').count(), 0);
    }));

  it('rejects a token over plain HTTP, and shows the reason', () =>
    browser.see(`http://${PLAIN_HTTP_HOST}:${new URL(started().url).port}/-/manage/a`, {}, async (page) => {
      await page.locator('#plain-http').waitFor();
      assert.equal(await page.locator('#token').isEnabled(), false);
      assert.equal(await page.locator('#send').isEnabled(), false);
    }));

  it('shows that it needs scripts', () =>
    browser.see(address(), { scripts: false }, async (page) => {
      assert.match(await page.locator('noscript .note').innerText(), /needs JavaScript/);
      assert.equal(await page.locator('#token').isVisible(), false);
    }));

  it('reports that a project never existed', () =>
    browser.see(
      `${started().url}/-/manage/nothing`,
      {},
      async (page) => {
        await open(page, 'secret-deleter');
        await page.locator('#token-error', { hasText: "There is no project 'nothing'" }).waitFor();
      },
      REFUSALS,
    ));
});
