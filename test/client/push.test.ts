import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { zipOf } from '../support/zip-writer.js';
import { lectern, type RunOptions, workplace, writeTree } from './lectern.js';

describe('lectern push', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const as = (token: string, options: RunOptions = {}) => ({
    ...options,
    env: { LECTERN_URL: server.url, LECTERN_TOKEN: `secret-${token}`, ...options.env },
  });
  const push = (args: readonly string[], options: RunOptions) => lectern(['push', ...args], options);

  it('publishes a directory, and prints the address of the site alone on stdout', async (context) => {
    const site = await writeTree(await workplace(context), {
      'index.html': 'hello',
      'sub/page.html': 'page',
    });
    const { code, out, notes } = await push([site, '--project', 'dir', '--version', '1.10'], as('ci'));
    assert.equal(code, 0, notes);
    assert.equal(out, `${server.url}/dir-1.10/\n`);
    assert.match(notes, /^dir 1\.10$/m);
    assert.match(notes, /^packed 2 files into /m);
    assert.match(notes, /^Published dir 1\.10 at \/dir-1\.10\/ with 2 files$/m);
    assert.equal(await (await server.get('/dir-1.10/sub/page.html')).text(), 'page');
  });

  it('prints the changes since the stable version before, with the address that shows them', async (context) => {
    const page = (text: string) => `<main><p>${text}</p></main>`;
    const place = await workplace(context);
    const publish = async (version: string, files: Readonly<Record<string, string>>) => {
      const site = await writeTree(join(place, version), files);
      return push([site, '--project', 'told', '--version', version], as('ci'));
    };
    const first = await publish('1.0', { 'index.html': page('one'), 'old.html': page('old') });
    assert.equal(first.code, 0, first.notes);
    assert.doesNotMatch(first.notes, /since/);
    await publish('2.0rc1', { 'index.html': page('candidate') });
    const { out, notes } = await publish('2.0', { 'index.html': page('two'), 'new.html': page('new') });
    assert.equal(out, `${server.url}/told-2.0/\n`);
    const [, address = ''] =
      /^since 1\.0: 1 page changed, 1 added, 1 removed; see (\S+)$/m.exec(notes) ?? assert.fail(notes);
    assert.equal(address, `${server.url}/-/compare/told/1.0/2.0`);
    assert.equal((await fetch(address)).status, 200);
    // A branch comes before all numbers, so it is compared with the latest version.
    const branch = await publish('main', { 'index.html': page('two'), 'new.html': page('new') });
    assert.match(branch.notes, /^since 2\.0: 0 pages changed, 0 added, 0 removed; see /m);
  });

  it('prints a hostile name in a manifest as text, and publishes nothing', async (context) => {
    const place = await writeTree(await workplace(context), {
      'package.json': JSON.stringify({ name: '\u001b]0;owned\u0007\nlectern: all is well', version: '1.0' }),
      'site/index.html': 'hello',
    });
    const before = await (await server.get('/api/projects')).text();
    const { code, out, notes } = await push(['site'], as('ci', { cwd: place }));
    assert.equal(code, 2, notes);
    assert.equal(out, '');
    assert.match(
      notes,
      /^lectern: project '\\u001b\]0;owned\\u0007\\u000alectern: all is well' \(from package\.json\).*\n$/,
    );
    assert.equal(await (await server.get('/api/projects')).text(), before);
  });

  it('includes dot-files and symlinks within the site; skips version control and symlinks out of it', async (context) => {
    const place = await workplace(context);
    const site = await writeTree(join(place, 'site'), {
      'index.html': 'hello',
      '.well-known/security.txt': 'mail us',
      '.nojekyll': '',
      '.git/config': 'secret',
      'vendor/.git': 'gitdir: elsewhere',
      '.DS_Store': 'x',
    });
    await writeTree(place, { 'outside.txt': 'secret' });
    await symlink('index.html', join(site, 'same.html'));
    await symlink('../outside.txt', join(site, 'outside.txt'));
    await symlink('nowhere', join(site, 'broken'));
    const { code, notes } = await push([site, '--project', 'dots', '--version', '1.0'], as('ci'));
    assert.equal(code, 0, notes);
    const archive = Buffer.from(await (await server.get('/api/download/dots/1.0')).arrayBuffer());
    const names = [...archive.toString('latin1').matchAll(/PK\x01\x02.{24}.{18}([\w./-]+?)(?=UT)/gs)].map(
      ([, name]) => name,
    );
    assert.deepEqual(names, ['.nojekyll', '.well-known/security.txt', 'index.html', 'same.html']);
    assert.match(
      notes,
      /^warning: skipped 2 symbolic links that point to no file in the site: 'broken', 'outside\.txt'\. Replace the links with/m,
    );
    assert.equal(await (await server.get('/dots-1.0/same.html')).text(), 'hello');
  });

  it('prints each warning of the server on its own line, and all skipped symlinks with --verbose', async (context) => {
    const site = await writeTree(await workplace(context), {
      'index.html': '<link rel="stylesheet" href="gone.css">',
      'docinfo.yaml': 'naem: Typo',
    });
    const links = ['a', 'b', 'c', 'd', 'e'];
    for (const link of links) await symlink('nowhere', join(site, `${link}.js`));
    const args = [site, '--project', 'warned', '--version', '1.0'];
    const first = await push(args, as('ci'));
    assert.deepEqual([first.code, first.out], [0, `${server.url}/warned-1.0/\n`], first.notes);
    assert.deepEqual(
      first.notes.split('\n').filter((line) => /^warning|^Published/.test(line)),
      [
        "warning: skipped 5 symbolic links that point to no file in the site: 'a.js', 'b.js', 'c.js' and 2 more; add --verbose to list all. " +
          'Replace the links with the files they point to, as cp -rL does.',
        'Published warned 1.0 at /warned-1.0/ with 2 files',
        "warning: Pages load styles that are not in the archive: 'gone.css'. " +
          'Include all files that the builder writes, and replace symbolic links with the files they point to.',
        "warning: docinfo.yaml has an unknown field: 'naem'. Did you mean 'name'?",
      ],
    );
    const second = await push([...args, '--verbose', '--replace'], as('admin'));
    assert.match(
      second.notes,
      /^warning: skipped 5 symbolic links that point to no file in the site: 'a\.js', 'b\.js', 'c\.js', 'd\.js', 'e\.js'\. Replace/m,
    );
  });

  it('refuses a site with warnings with --strict, with exit code 7, before publication', async (context) => {
    const place = await workplace(context);
    const faulty = await writeTree(join(place, 'faulty'), {
      'index.html': '<link rel="stylesheet" href="gone.css">',
    });
    const linked = await writeTree(join(place, 'linked'), { 'index.html': 'x' });
    await symlink('nowhere', join(linked, 'a.js'));
    const before = await tree(server.docs);
    for (const [site, warning] of [
      [faulty, /^warning: Pages load styles that are not in the archive: 'gone\.css'\. Include all/m],
      [
        linked,
        /^warning: skipped 1 symbolic link that points to no file in the site: 'a\.js'\. Replace the links/m,
      ],
    ] as const) {
      const run = await push([site, '--project', 'strict', '--version', '1.0', '--strict'], as('ci'));
      assert.deepEqual([run.code, run.out], [7, ''], run.notes);
      assert.match(run.notes, warning);
      assert.match(
        run.notes,
        /strict 1\.0 was not published, since the upload is strict.*; nothing was changed$/m,
      );
    }
    assert.deepEqual(await tree(server.docs), before);
    const fine = await writeTree(join(place, 'fine'), { 'index.html': 'x' });
    const { code } = await push([fine, '--project', 'strict', '--version', '1.0', '--strict'], as('ci'));
    assert.equal(code, 0);
  });

  it('skips the caches of builders, and names each', async (context) => {
    const site = await writeTree(await workplace(context), {
      'index.html': 'hello',
      '.buildinfo': 'x',
      'cache/page.html': 'no cache',
      '.doctrees/environment.pickle': 'https://user:secret@docs.example.org',
      '.doctrees/index.doctree': 'x',
      'de/.doctrees/index.doctree': 'x',
      'doctrees/environment.pickle': 'secret',
      'notebooks/.ipynb_checkpoints/a.ipynb': 'x',
      'api/__pycache__/conf.pyc': 'x',
    });
    const { code, notes } = await push([site, '--project', 'cached', '--version', '1.0'], as('ci'));
    assert.equal(code, 0, notes);
    const archive = Buffer.from(await (await server.get('/api/download/cached/1.0')).arrayBuffer());
    const names = [...archive.toString('latin1').matchAll(/PK\x01\x02.{24}.{18}([\w./-]+?)(?=UT)/gs)].map(
      ([, name]) => name,
    );
    assert.deepEqual(names, ['.buildinfo', 'cache/page.html', 'index.html']);
    const told = [...notes.matchAll(/^skipped: '(.+)' is a build cache and may contain secrets$/gm)];
    assert.deepEqual(told.map(([, name]) => name).sort(), [
      '.doctrees',
      'api/__pycache__',
      'de/.doctrees',
      'doctrees/environment.pickle',
      'notebooks/.ipynb_checkpoints',
    ]);
  });

  it('sends an archive unchanged, and reads project and version from its name', async (context) => {
    const place = await workplace(context);
    const bytes = zipOf({ 'index.html': 'from a zip' });
    await writeTree(place, { 'lib-2-1.0.0-docs.zip': bytes });
    const { code, out, notes } = await push(['lib-2-1.0.0-docs.zip'], as('ci', { cwd: place }));
    assert.equal(code, 0, notes);
    assert.equal(out, `${server.url}/lib-2-1.0.0/\n`);
    assert.match(notes, /^lib-2 1\.0\.0 \(from the archive's name\)$/m);
    const back = await (await server.get('/api/download/lib-2/1.0.0')).arrayBuffer();
    const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    assert.equal(hash(new Uint8Array(back)), hash(bytes));
  });

  it('sends an archive of any name under the name given by flags', async (context) => {
    const place = await workplace(context);
    await writeTree(place, { 'site.zip': zipOf({ 'index.html': 'x' }) });
    const { code, out } = await push(
      ['site.zip', '--project=named', '--version=2'],
      as('ci', { cwd: place }),
    );
    assert.deepEqual({ code, out }, { code: 0, out: `${server.url}/named-2/\n` });
  });

  it('ends with 4 when the version exists, and keeps it unchanged', async (context) => {
    const place = await workplace(context);
    await server.upload('there-1.0-docs.zip', { 'index.html': 'first' });
    const site = await writeTree(place, { 'index.html': 'second' });
    const args = [site, '--project', 'there', '--version', '1.0'];
    for (const [token, more, message] of [
      ['ci', [], /^lectern: there 1\.0 already exists; add --replace to replace it, or --skip-existing/m],
      ['admin', [], /^lectern: there 1\.0 already exists; add --replace/m],
      ['ci', ['--replace'], /^lectern: there 1\.0 already exists, and token 'ci' may not overwrite it; .*$/m],
    ] as const) {
      const { code, out, notes } = await push([...args, ...more], as(token));
      assert.deepEqual({ code, out }, { code: 4, out: '' });
      assert.match(notes, message);
      assert.equal(await (await server.get('/there-1.0/')).text(), 'first');
    }
    const skipped = await push([...args, '--skip-existing'], as('ci'));
    assert.deepEqual([skipped.code, skipped.out], [0, `${server.url}/there-1.0/\n`]);
    assert.match(skipped.notes, /already exists; nothing was changed/);
    assert.equal(await (await server.get('/there-1.0/')).text(), 'first');
    assert.equal((await push([...args, '--replace'], as('admin'))).code, 0);
    assert.equal(await (await server.get('/there-1.0/')).text(), 'second');
  });

  it('treats another spelling of the version as another version with --skip-existing', async (context) => {
    const docs = await workplace(context);
    // The server takes this for the answer of a file system that ignores case.
    await symlink('.lectern', join(docs, '.LECTERN'));
    const folding = await TestServer.start({ docs });
    try {
      await folding.upload('there-1.0-RC1-docs.zip', { 'index.html': 'first' });
      const site = await writeTree(await workplace(context), { 'index.html': 'second' });
      const args = [site, '--project', 'there', '--version', '1.0-rc1', '--skip-existing'];
      const { code, out, notes } = await push(args, as('ci', { env: { LECTERN_URL: folding.url } }));
      assert.deepEqual({ code, out }, { code: 4, out: '' }, notes);
      assert.match(notes, /^lectern: 'there-1\.0-RC1' exists, and the file system of this server ignores/m);
      assert.equal(await (await folding.get('/there-1.0-RC1/')).text(), 'first');
    } finally {
      await folding.close();
    }
  });

  it('ends with 5 when the token lacks the right, and changes nothing', async (context) => {
    const site = await writeTree(await workplace(context), { 'index.html': 'x' });
    const before = await tree(server.docs);
    const args = [site, '--project', 'forbidden', '--version', '1.0'];
    for (const token of ['unknown', 'scoped', 'existing']) {
      const { code, out, notes } = await push(args, as(token));
      assert.deepEqual({ code, out }, { code: 5, out: '' }, notes);
    }
    assert.deepEqual(await tree(server.docs), before);
  });

  it("ends with 1 and the server's reason for a refused archive", async (context) => {
    const place = await workplace(context);
    await writeTree(place, { 'bad-1.0-docs.zip': 'no archive' });
    const { code, notes } = await push(['bad-1.0-docs.zip'], as('ci', { cwd: place }));
    assert.equal(code, 1);
    assert.match(notes, /^lectern: The archive was refused: /m);
  });

  it('refuses invalid names before it sends anything', async (context) => {
    const site = await writeTree(await workplace(context), { 'index.html': 'x', 'a\\b.html': 'x' });
    const { code, notes } = await push([site, '--project', 'names', '--version', '1.0'], as('ci'));
    assert.equal(code, 2);
    assert.match(notes, /has a '\\' in its name/);
    assert.equal((await server.get('/names-1.0/')).status, 404);
  });

  for (const [what, args, message] of [
    ['a missing path', ['nowhere'], /nowhere: no such file or directory/],
    ['an empty directory', ['empty', '--project', 'a', '--version', '1'], /empty contains no files/],
    [
      'a reserved version',
      ['site', '--project', 'a', '--version', 'latest'],
      /cannot be published: .*'latest'/,
    ],
    [
      'a project and version that parse back differently',
      ['site', '--project', 'a', '--version', 'b-1.0'],
      /read back as version '1\.0' of 'a-b'; use b_1\.0; or publish a preview: --preview b-1\.0$/m,
    ],
    [
      'a branch as a version',
      ['site', '--project', 'a', '--version', 'feature/login'],
      /cannot be published: a version may not contain '\/'; use feature_login$/m,
    ],
    ['a directory without a guessable project', ['site', '--version', '1.0'], /add --project/],
    [
      'an unknown option',
      ['site', '--versoin', '1.0'],
      /unknown option '--versoin'; did you mean '--version'\?/,
    ],
    ['a second path', ['site', 'site'], /unexpected argument 'site'/],
  ] as const) {
    it(`ends with 2 for ${what}`, async (context) => {
      const place = await workplace(context);
      await writeTree(join(place, 'site'), { 'index.html': 'x' });
      await writeTree(join(place, 'empty'), {});
      const { code, out, notes } = await push(args, as('ci', { cwd: place }));
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assert.match(notes, message);
    });
  }

  it('names a temporary directory that is not writable, and publishes nothing', async (context) => {
    const place = await workplace(context);
    await writeTree(join(place, 'site'), { 'index.html': 'x' });
    const missing = join(place, 'missing');
    const args = ['site', '--project', 'tmp', '--version', '1.0'];
    const run = await push(args, as('ci', { cwd: place, env: { TMPDIR: missing } }));
    assert.deepEqual([run.code, run.out], [2, '']);
    assert.match(run.notes, new RegExp(`^lectern: the temporary directory ${missing}: no such file`, 'm'));
    assert.equal((await server.get('/tmp-1.0/')).status, 404);
  });
});

describe('lectern push --dry-run', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('there-1.0-docs.zip');
  });
  after(() => server.close());

  const dryRun = async (
    context: { after(clean: () => Promise<void>): void },
    project: string,
    token: string,
    more: readonly string[] = [],
  ) => {
    const site = await writeTree(await workplace(context), { 'index.html': 'x' });
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: `secret-${token}` };
    return lectern(['push', site, '--project', project, '--version', '1.0', '--dry-run', ...more], { env });
  };

  it("queries the server for the token, the project's rules and the version", async (context) => {
    const before = await tree(server.docs);
    const replace = ['--replace'];
    for (const [project, token, code, message, more] of [
      ['new', 'ci', 0, /^Nothing was published\. .* would accept new 1\.0\. The archive /m],
      ['there', 'admin', 0, /would accept there 1\.0, replacing the existing version\. The archive/, replace],
      ['there', 'admin', 4, /already exists; add --replace/],
      ['there', 'ci', 4, /already exists/, replace],
      ['new', 'unknown', 5, /The token is unknown/],
      ['new', 'scoped', 5, /may not change project 'new'/],
      ['new', 'existing', 5, /does not exist yet/],
    ] as const) {
      const run = await dryRun(context, project, token, more);
      assert.deepEqual([run.code, run.out], [code, ''], run.notes);
      assert.match(run.notes, message);
    }
    assert.deepEqual(await tree(server.docs), before);
    assert.equal(await readFile(join(server.docs, 'there-1.0/index.html'), 'utf8'), 'there-1.0-docs.zip');
  });
});
