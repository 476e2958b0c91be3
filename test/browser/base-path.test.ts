import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeInBrowser } from '../support/browser.js';
import { type Prefixing, PrefixProxy } from '../support/proxy.js';
import { TestServer } from '../support/server.js';
import { zipOf } from '../support/zip-writer.js';

const BASE = '/team/docs';

for (const prefixing of ['strips the prefix', 'passes the prefix on'] satisfies Prefixing[]) {
  describeInBrowser(`A server below a base path, behind a proxy that ${prefixing},`, (browser) => {
    let server: TestServer;
    let proxy: PrefixProxy;
    before(async () => {
      server = await TestServer.start({ basePath: BASE, switcher: true });
      proxy = await PrefixProxy.start(server.url, BASE, prefixing);
      for (const label of ['1.0', '2.0']) {
        const page = `<!doctype html><html lang="en"><title>${label}</title><h1>${label}</h1>`;
        await server.upload(`tool-${label}-docs.zip`, { 'index.html': page, 'guide/index.html': page });
      }
    });
    after(async () => {
      await proxy.close();
      await server.close();
    });

    it("links from the switcher to the same page in another version, and to the server's own pages", () =>
      browser.see(`${proxy.url}/tool-1.0/guide/?q=1#top`, {}, async (seen) => {
        await seen.getByRole('link', { name: 'Read this page in 2.0' }).waitFor();
        const links = seen.locator('lectern-switcher .more a');
        assert.deepEqual(
          await links.evaluateAll((all) => all.map((each) => (each as unknown as { href: string }).href)),
          [`${proxy.url}/-/projects/tool`, `${proxy.url}/`],
        );
        await seen.getByRole('link', { name: 'Read this page in 2.0' }).click();
        await seen.waitForURL(`${proxy.url}/tool-latest/guide/?q=1#top`);
        assert.equal(await seen.locator('h1').innerText(), '2.0');
      }));

    it('passes this project with absolute addresses to the script for themes', () =>
      browser.see(`${proxy.url}/tool-1.0/guide/`, {}, async (seen) => {
        await seen.evaluate(`import('${BASE}/-/readthedocs.js')`);
        const address = 'ReadTheDocsEventData.data().versions.active[0].urls.documentation';
        assert.equal(await seen.evaluate(address), `${proxy.url}/-/go/tool-2.0/guide/`);
      }));

    it("shows commands with the browser's address on a project page", () =>
      browser.see(`${proxy.url}/-/projects/tool`, {}, async (seen) => {
        await seen.locator('.tab > summary', { hasText: 'Download' }).click();
        const download = seen.locator('[data-copy="Latest version, as a zip"]');
        await seen.getByRole('button', { name: 'Copy: Latest version, as a zip' }).waitFor();
        assert.equal(await download.innerText(), `curl -OJ ${proxy.url}/api/download/tool/latest`);
        assert.ok(!(await seen.locator('.copying').innerText()).includes('$LECTERN_URL'));
      }));

    it('publishes from the upload page, and links to the site', () =>
      browser.see(`${proxy.url}/-/upload`, {}, async (seen) => {
        await seen.setInputFiles('#archive', {
          name: 'mine-1.0-docs.zip',
          mimeType: 'application/zip',
          buffer: zipOf({ 'index.html': '<title>mine</title>' }),
        });
        await seen.fill('#token', 'secret-admin');
        await seen.click('#send');
        await seen.locator('#read').click();
        await seen.waitForURL(`${proxy.url}/mine-1.0/`);
        assert.equal(await seen.title(), 'mine');
        assert.equal((await server.delete('mine/1.0')).status, 200);
      }));

    it("links from the manage page to the project's versions and previews", () =>
      browser.see(`${proxy.url}/-/manage/tool`, {}, async (seen) => {
        await server.upload('tool~pr-1-docs.zip');
        await seen.fill('#token', 'secret-deleter');
        await seen.click('#send');
        const names = seen.locator('[data-part=name][href]');
        await names.first().waitFor();
        assert.deepEqual(
          await names.evaluateAll((all) => all.map((each) => each.getAttribute('href'))),
          ['tool-2.0', 'tool-1.0', 'tool~pr-1'].map((directory) => `${BASE}/${directory}/`),
        );
        await server.delete('tool/pr-1', 'admin', 'previews');
      }));

    it('shows the public address in the commands of the API reference', () =>
      browser.see(`${proxy.url}/-/api#version`, {}, async (seen) => {
        assert.equal(await seen.locator('#version pre').first().innerText(), `curl ${proxy.url}/api/version`);
      }));
  });
}
