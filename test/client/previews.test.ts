import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { ArchiveFile, LecternClient } from '../../src/adapters/cli/client/index.js';
import { previewIdOf } from '../../src/domain/index.js';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { fakeServer, json, lost } from './fake-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await server.upload('widgets-1.0-docs.zip');
});
after(() => server.close());

const at = (args: readonly string[], token = 'ci') =>
  lectern(args, { env: { LECTERN_URL: server.url, LECTERN_TOKEN: `secret-${token}` } });

describe('lectern push --preview', () => {
  it('publishes a preview, and replaces it at the next push without a question', async (context) => {
    const place = await workplace(context);
    const site = await writeTree(place, { 'index.html': 'one' });
    const args = ['push', site, '--project', 'widgets', '--preview', 'pr-1'];
    const first = await at([...args, '--expires', '12h']);
    assert.deepEqual([first.code, first.out], [0, `${server.url}/widgets~pr-1/\n`], first.notes);
    assert.match(first.notes, /^widgets~pr-1$/m);
    assert.match(first.notes, /^Published .* at \/widgets~pr-1\/ with 1 file, until 2\d{3}-/m);
    const { expires_at } = await server.json('/api/previews/widgets/pr-1');
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 12 * 3_600_000) < 60_000);
    await writeTree(place, { 'index.html': 'two' });
    const second = await at(args);
    assert.equal(second.code, 0, second.notes);
    assert.match(second.notes, /; replaced the existing preview$/m);
    assert.equal(await (await server.get('/widgets~pr-1/')).text(), 'two');
  });

  it('reads project and preview from the name of an archive', async (context) => {
    const place = await writeTree(await workplace(context), {});
    const archive = `${place}/widgets~named-docs.zip`;
    await writeFile(archive, Buffer.from(await (await server.get('/widgets-1.0-docs.zip')).arrayBuffer()));
    const { code, out, notes } = await at(['push', archive, '--expires', '1d']);
    assert.deepEqual([code, out], [0, `${server.url}/widgets~named/\n`], notes);
    const asVersion = await at(['push', archive, '--version', '2.0']);
    assert.equal(asVersion.out, `${server.url}/widgets-2.0/\n`, asVersion.notes);
  });

  it('checks everything in a dry run, and publishes nothing', async (context) => {
    const site = await writeTree(await workplace(context), { 'index.html': 'x' });
    const args = ['push', site, '--project', 'widgets', '--preview', 'dry', '--dry-run'];
    const before = await tree(server.docs);
    const { code, notes } = await at(args);
    assert.equal(code, 0, notes);
    assert.match(notes, /would accept widgets~dry\. The archive \(/);
    assert.equal((await at(args, 'nobody')).code, 5);
    assert.deepEqual(await tree(server.docs), before);
  });

  const REFUSED: readonly [args: readonly string[], sentence: RegExp][] = [
    [
      ['--preview', 'feature/login'],
      /preview 'feature\/login' \(from --preview\) cannot be published: a preview's name may not contain '\/'; use feature-login/,
    ],
    [['--preview', 'pr-1', '--version', '1.0'], /give --version or --preview, not both/],
    [['--version', '3.0', '--expires', '1d'], /--expires is for previews: add --preview <name>/],
    [
      ['--preview', 'pr-1', '--expires', 'soon'],
      /--expires: expected a number of hours or days, such as 12h or 14d, at most 3650d, not 'soon'/,
    ],
  ];
  for (const [args, sentence] of REFUSED) {
    it(`refuses ${args.join(' ')} with a sentence, and changes nothing`, async (context) => {
      const site = await writeTree(await workplace(context), { 'index.html': 'x' });
      const before = await tree(server.docs);
      const { code, out, notes } = await at(['push', site, '--project', 'widgets', ...args]);
      assert.deepEqual([code, out], [2, ''], notes);
      assert.match(notes, sentence);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('sends a preview again when the response was lost, since its end has to move', async (context) => {
    const site = await writeTree(await workplace(context), { 'a-1.0-docs.zip': 'bytes' });
    const result = {
      success: true,
      message: 'done',
      project: 'a',
      version: 'x',
      directory: 'a~x',
      url: '/a~x/',
      files_extracted: 1,
    };
    const fake = await fakeServer([lost, json(200, result)]);
    context.after(() => fake.close());
    const client = new LecternClient({ url: fake.url, token: 's', wait: async () => {} });
    const archive = await ArchiveFile.open(`${site}/a-1.0-docs.zip`);
    const { url } = await client.push(previewIdOf('a', 'x') ?? assert.fail(), archive);
    assert.equal(url, `${fake.url}/a~x/`);
    assert.deepEqual(fake.requests, ['POST /api/upload', 'POST /api/upload']);
    await archive.close();
  });
});

describe('lectern previews', () => {
  it('lists the previews of a project with their ends', async () => {
    await server.upload('list~pr-1-docs.zip', undefined, 'ci', [['expires', '1d']]);
    const { code, out } = await at(['previews', 'list']);
    assert.equal(code, 0);
    assert.match(out, /^pr-1 {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
    const { previews } = JSON.parse((await at(['previews', 'list', '--json'])).out);
    assert.equal(previews[0].name, 'pr-1');
    assert.equal((await at(['previews', 'nothing'])).code, 6);
  });

  it('reports a project without previews', async () => {
    await server.upload('empty-1.0-docs.zip');
    const { code, out, notes } = await at(['previews', 'empty']);
    assert.deepEqual([code, out], [0, '']);
    assert.match(notes, /empty has no previews/);
  });
});

describe('lectern delete of a preview', () => {
  it('needs its name only, and no allow_delete', async () => {
    await server.upload('gone~pr-1-docs.zip', undefined, 'ci');
    const { code, notes } = await at(['delete', 'gone~pr-1', '--yes']);
    assert.deepEqual([code, notes], [0, 'Deleted gone~pr-1\n']);
    assert.equal((await server.get('/gone~pr-1/')).status, 404);
    assert.equal((await at(['delete', 'gone~pr-1', '--yes'])).code, 6);
  });

  it('asks for confirmation on a terminal', async () => {
    await server.upload('kept~pr-1-docs.zip', undefined, 'ci');
    const { code, notes } = await at(['delete', 'kept~pr-1']);
    assert.equal(code, 2);
    assert.match(notes, /add --yes/);
    assert.equal((await server.get('/kept~pr-1/')).status, 200);
  });

  it('prints the syntax when neither a version nor a preview is named', async () => {
    const { code, notes } = await at(['delete', 'widgets', '--yes'], 'admin');
    assert.equal(code, 2);
    assert.match(
      notes,
      /'widgets' is not a preview, such as widgets~pr-123; to delete a version, add its label: lectern delete widgets 1\.0/,
    );
    assert.equal((await server.get('/widgets-1.0/')).status, 200);
  });
});
