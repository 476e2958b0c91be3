import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { startNginx, WITH_SWITCHER } from '../support/nginx.js';
import { type Json, TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`;
const sentence = (seen: Page, text: string) => seen.getByRole('status').filter({ hasText: text }).waitFor();

for (const [where, basePath] of [
  ['at the root', ''],
  ['below a path', '/docs'],
] as const) {
  describeInBrowser(`Search behind nginx, ${where},`, (browser) => {
    let lectern: TestServer;
    let nginx: WebServer;
    let root: string;
    before(async () => {
      lectern = await TestServer.start({
        search: new MemorySearchIndex(),
        basePath,
        switcher: true,
        trustProxy: true,
      });
      const below = {
        '# rewrite ^/docs': 'rewrite ^/docs',
        'src="/-/switcher.js"': `src="${basePath}/-/switcher.js"`,
      };
      nginx = await startNginx(lectern.docs, lectern.url, {
        ...WITH_SWITCHER,
        ...(basePath === '' ? {} : below),
      });
      root = nginx.url + basePath;
      for (const name of ['tool-1.0', 'tool-2.0', 'tool~pr-1']) {
        await lectern.upload(`${name}-docs.zip`, {
          'index.html': page('Start', `<p>This is ${name}.</p>`),
          'guide.html': page('Guide', '<h2 id="nail">The nail</h2><p>Hit the nail and/or the thumb.</p>'),
        });
      }
      await lectern.isIndexed();
    });
    after(async () => {
      await nginx.close();
      await lectern.close();
      assert.doesNotMatch(nginx.errors(), /\[(?:warn|error|crit|alert|emerg)\]/);
    });

    const isAskedOf = (path: string) => lectern.log.some((line) => (line as { path?: string }).path === path);

    it('responds to programs with working addresses', async () => {
      for (const query of ['nail', '"hit the nail"', 'nail project:tool', 'thumb and/or']) {
        const response = await fetch(`${root}/api/search?q=${encodeURIComponent(query)}`);
        const { results } = (await response.json()) as Json;
        assert.equal(results[0]?.url, `${basePath}/tool-latest/guide.html#nail`, query);
        assert.equal((await fetch(nginx.url + results[0].url)).status, 200);
        const headers = { 'If-None-Match': response.headers.get('etag') ?? '' };
        assert.equal((await fetch(response.url, { headers })).status, 304);
      }
    });

    it('works in the field of the index, and on the page of results', () =>
      browser.see(`${root}/`, {}, async (seen) => {
        await seen.getByRole('searchbox').fill('nail');
        await sentence(seen, '1 page for “nail”');
        await seen.locator('.hit-link').click();
        await seen.waitForURL(`${root}/tool-latest/guide.html#nail**`);
        await seen.goto(`${root}/-/search?q=nail`);
        assert.deepEqual(await seen.locator('.hit-link').allTextContents(), ['Guide › The nail']);
      }));

    for (const [directory, isFromDisk] of [
      ['tool-1.0', true],
      ['tool-latest', true],
      ['tool~pr-1', false],
    ] as const) {
      it(`appears in the switcher on pages of ${directory}, whoever sends them`, () =>
        browser.see(`${root}/${directory}/index.html`, {}, async (seen) => {
          await seen.getByRole('button', { name: 'Search in Tool' }).waitFor();
          assert.equal(isAskedOf(`/${directory}/index.html`), !isFromDisk);
          await seen.keyboard.press('/');
          await seen.getByRole('searchbox', { name: /^Search in Tool/ }).fill('nail');
          await sentence(seen, '1 page for “nail”');
          await seen.keyboard.press('Enter');
          await seen.waitForURL(`${root}/${directory}/guide.html#nail**`);
        }));
    }
  });
}
