import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

describe('GET /api/projects/{project}', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const label of ['1.0', '1.1', '2.0']) await server.upload(`tool-${label}-docs.zip`);
    await server.upload('other-1.0-docs.zip');
  });
  after(async () => server.close());

  it('returns the project as in the list, with its settings', async () => {
    const [other] = (await server.json('/api/projects?search=other')).projects;
    const { disk_use, ...project } = await server.json('/api/projects/other');
    assert.deepEqual(project, { ...other, settings: {} });
    assert.ok(disk_use.total > 0);
  });

  it('returns the downloads of each version, and warns about missing files', async () => {
    const docinfo = JSON.stringify({
      logo: 'logo.svg',
      downloads: [{ file: 'a b.pdf', label: 'Manual' }, { file: 'gone.pdf' }],
    });
    const uploaded = await server.upload('zine-1.0-docs.zip', {
      'index.html': 'x',
      'a b.pdf': 'paper',
      'docinfo.json': docinfo,
    });
    assert.equal(uploaded.status, 201);
    const { warnings } = (await uploaded.json()) as { warnings: { code: string; message: string }[] };
    assert.deepEqual(
      warnings.map(({ code, message }) => [code, message]),
      [['docinfo_field', "docinfo.json names files that are not in the site: 'logo.svg', 'gone.pdf'"]],
    );
    await server.upload('zine-1.1-docs.zip', { 'index.html': 'x' });
    const { versions } = await server.json('/api/projects/zine');
    assert.deepEqual(
      versions.map(({ downloads }: { downloads?: unknown }) => downloads),
      [[{ file: 'a b.pdf', label: 'Manual', url: '/zine-1.0/a%20b.pdf', size: 5 }], undefined],
    );
    assert.equal(await (await server.get(versions[0].downloads[0].url)).text(), 'paper');
    const [listed] = (await server.json('/api/projects?search=zine')).projects;
    assert.equal('downloads' in listed.versions[0], false);
  });

  it('returns an ETag that changes with versions and settings, and responds 304', async () => {
    const etags = new Set<string>();
    const etagNow = async () => (await server.get('/api/projects/tool')).headers.get('etag') ?? assert.fail();
    const look = async () => {
      const etag = await etagNow();
      etags.add(etag);
      assert.equal((await server.get('/api/projects/tool', { 'If-None-Match': etag })).status, 304);
      return etags.size;
    };
    await look();
    await server.upload('tool-2.1-docs.zip');
    assert.equal(await look(), 2);
    const settings = {
      aliases: { latest: '1.x', lts: '1.0' },
      hidden: ['2.0'],
      deprecated: { '1.0': 'Use 1.1' },
    };
    await writeFile(join(server.docs, '.lectern/projects/tool.json'), JSON.stringify(settings));
    await until(async () => !etags.has(await etagNow()));
    assert.equal(await look(), 3);
    const project = await server.json('/api/projects/tool');
    assert.deepEqual(project.settings, settings);
    assert.equal(project.latest_version_dir, 'tool-1.1');
    const facts = project.versions.map((version: Record<string, unknown>) => [
      version.version,
      version.aliases,
      version.hidden,
      version.deprecated,
    ]);
    assert.deepEqual(facts, [
      ['1.0', ['lts'], undefined, 'Use 1.1'],
      ['1.1', ['latest'], undefined, undefined],
      ['2.0', undefined, true, undefined],
      ['2.1', undefined, undefined, undefined],
    ]);
    const [, listed] = (await server.json('/api/projects')).projects;
    const { disk_use: _, ...rest } = project;
    assert.deepEqual({ ...listed, settings }, rest);
  });

  it('returns the size of versions, previews and removed versions, with another ETag and page when it changes', async () => {
    const keeping = await TestServer.start({ keepRemovedMs: 3_600_000 });
    try {
      const look = async () => {
        const response = await keeping.get('/api/projects/a');
        const { disk_use } = (await response.json()) as {
          disk_use: { versions: number; previews: number; removed: number; total: number };
        };
        return { ...disk_use, etag: response.headers.get('etag') };
      };
      const page = async () =>
        (await (await keeping.get('/-/projects/a')).text()).match(/[\d.]+ [KMG]iB on disk[^<]*/)?.[0];
      const site = { 'index.html': 'x'.repeat(10_000) };
      await keeping.upload('a-1.0-docs.zip', site);
      const first = await look();
      const { versions: one, etag } = first;
      assert.ok(one > 10_000, String(one));
      assert.deepEqual(first, { versions: one, previews: 0, removed: 0, total: one, etag });
      assert.match((await page()) ?? '', /^[\d.]+ KiB on disk$/);
      await keeping.upload('a-2.0-docs.zip', site);
      await keeping.upload('a~pr-1-docs.zip', site);
      await keeping.delete('a/1.0');
      const second = await look();
      const { removed } = second;
      assert.ok(removed > 100 && removed < one, String(removed));
      assert.notEqual(second.etag, etag);
      assert.deepEqual(second, { ...second, versions: one, previews: one, total: 2 * one + removed });
      assert.match((await page()) ?? '', /on disk: versions .*, previews .*, removed versions /);
    } finally {
      await keeping.close();
    }
  });

  it('is 404 for a missing project, whatever its name', async () => {
    for (const name of ['none', 'Tool', 'constructor', 'tool-1.0', 'a%2Fb']) {
      const response = await server.get(`/api/projects/${name}`);
      assert.equal(response.status, 404, name);
      assert.equal(((await response.json()) as { error: string }).error, 'project_not_found', name);
    }
  });
});
