import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { lectern, workplace, writeTree } from './lectern.js';

const TEXT = `<h1>Title</h1><p>${'word '.repeat(20)}</p>`;
const pageOf = (links: readonly string[]) => links.map((link) => `<a href="${link}">`).join('') + TEXT;

describe('lectern push with dead links', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const push = (url: string, ...args: readonly string[]) =>
    lectern(['push', ...args], { env: { LECTERN_URL: url, LECTERN_TOKEN: 'secret-ci' } });

  it('counts dead links, and names the first five new ones', async (context) => {
    const place = await workplace(context);
    const publish = async (version: string, links: readonly string[]) => {
      const site = await writeTree(join(place, version), { 'index.html': pageOf(links) });
      return push(server.url, site, '--project', 'told', '--version', version);
    };
    assert.match(
      (await publish('1.0', ['a', 'b'])).notes,
      /^2 dead links, 2 of them new\n {2}index\.html: a\n/m,
    );
    const { code, notes } = await publish('1.1', [...'abcdefgh']);
    assert.equal(code, 0, notes);
    const told = [...'cdefg'].map((link) => `  index.html: ${link}\n`).join('');
    assert.ok(notes.includes(`\n8 dead links, 6 of them new\n${told}since 1.0`), notes);
    assert.doesNotMatch((await publish('1.2', [])).notes, /dead link/);
  });

  it('refuses a site with new dead links with --strict-links, with exit code 8, before publication', async (context) => {
    const place = await workplace(context);
    const dead = await writeTree(join(place, 'dead'), { 'index.html': pageOf(['a', 'b']) });
    const fine = await writeTree(join(place, 'fine'), { 'index.html': pageOf(['#top']) });
    const kept = await tree(server.docs);
    const args = ['--project', 'strict', '--version', '1.0', '--strict-links'];
    const { code, out, notes } = await push(server.url, dead, ...args);
    assert.deepEqual([code, out], [8, ''], notes);
    assert.match(notes, /it has 2 dead links .*: 'index\.html: a', 'index\.html: b'; nothing was changed/);
    assert.deepEqual(await tree(server.docs), kept);
    assert.equal((await push(server.url, fine, ...args)).code, 0);
  });

  it('reports with --strict-links that a server does not check links', async (context) => {
    const other = await TestServer.start({ linkCheck: false });
    try {
      const site = await writeTree(await workplace(context), { 'index.html': pageOf(['a']) });
      const run = await push(other.url, site, '--project', 'a', '--version', '1.0', '--strict-links');
      assert.equal(run.code, 0, run.notes);
      assert.match(run.notes, /^warning: the server did not check links$/m);
    } finally {
      await other.close();
    }
  });

  it('waits for the check of links to other projects, and names the dead ones', async (context) => {
    const house = await TestServer.start({ houseLinks: true });
    context.after(() => house.close());
    await house.upload('app-1.0-docs.zip', { 'a.html': pageOf(['/lib-latest/old.html', '/lib-latest/']) });
    const place = await workplace(context);
    const publish = async (version: string, page: string) => {
      const site = await writeTree(join(place, version), { 'index.html': TEXT, [page]: TEXT });
      return push(house.url, site, '--project', 'lib', '--version', version);
    };
    assert.doesNotMatch((await publish('1.0', 'old.html')).notes, /other projects/);
    const { code, notes } = await publish('2.0', 'new.html');
    assert.equal(code, 0, notes);
    assert.match(notes, /^1 dead link from other projects\n {2}app 1\.0 a\.html: \/lib-latest\/old\.html$/m);
  });
});
