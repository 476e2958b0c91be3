import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeInBrowser } from '../../support/browser.js';
import { builtSite } from '../../support/builders/built-sites.js';
import { DRAWN_SITES } from '../../support/builders/drawn-sites.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { TestServer } from '../../support/server.js';

describeInBrowser('A search that finds a page drawn by a script', (browser) => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
  });
  after(() => server.close());

  for (const { builder, title, end, isShown } of DRAWN_SITES) {
    it(`links to the page, and opens it (${builder.name})`, async (test) => {
      const site = await builtSite(builder);
      if ('unavailable' in site) return test.skip(site.unavailable);
      assert.equal((await server.upload(`${builder.name}-1.0-docs.zip`, await site.zip())).status, 201);
      await server.isIndexed();
      await browser.see(
        `${server.url}/${builder.name}-1.0/`,
        { width: 1280, foreign: true },
        async (seen) => {
          await seen.waitForLoadState('networkidle');
          assert.ok(!(await seen.evaluate(isShown)), 'the front page shows it, too');
        },
      );
      const search = `${server.url}/-/search?q=descale&project=${builder.name}`;
      await browser.see(search, { width: 1280, foreign: true }, async (seen) => {
        const hit = seen.locator('.hit-link').first();
        assert.ok((await hit.textContent())?.startsWith(title));
        await hit.click();
        await seen.waitForFunction(isShown);
      });
      const { results } = await server.json(`/api/search?q=descale&project=${builder.name}`);
      assert.equal(results[0]?.url, `/${builder.name}-latest${end}`);
    });
  }
});
