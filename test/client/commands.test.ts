import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { fakeServer, json, listing, refusal } from './fake-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

let server: TestServer;
before(async () => {
  server = await TestServer.start({ search: new MemorySearchIndex() });
  const docinfo = 'name: Widgets\ndescription: For every purpose\n';
  await server.upload('widgets-1.0-docs.zip', { 'index.html': '1', 'docinfo.yaml': docinfo });
  await server.upload('widgets-1.10-docs.zip', { 'index.html': '2', 'docinfo.yaml': docinfo });
  await server.upload('tool-main-docs.zip');
});
after(() => server.close());

const at = (args: readonly string[], token = 'ci', cwd?: string) =>
  lectern(args, {
    env: { LECTERN_URL: server.url, LECTERN_TOKEN: `secret-${token}` },
    ...(cwd === undefined ? {} : { cwd }),
  });

describe('lectern projects', () => {
  it('lists projects with the latest version, one per line', async () => {
    const { code, out } = await at(['projects']);
    assert.equal(code, 0);
    assert.equal(out, 'tool     main (1 version)\nwidgets  1.10 (2 versions)  For every purpose\n');
  });

  it('searches projects', async () => {
    assert.match((await at(['projects', '--search', 'WIDG'])).out, /^widgets [^\n]*\n$/);
  });

  it('reports when nothing is found, with close names', async () => {
    for (const [term, sentence] of [
      ['frobnicate', "No project has 'frobnicate' in its name"],
      ['wigdets', "No project has 'wigdets' in its name; did you mean 'widgets'?"],
    ] as const) {
      const { code, out, notes } = await at(['projects', '--search', term]);
      assert.deepEqual({ code, out, notes }, { code: 0, out: '', notes: `${sentence}\n` });
    }
  });

  it('reports an empty server', async (context) => {
    const empty = await fakeServer([listing()]);
    context.after(() => empty.close());
    const { code, out, notes } = await lectern(['projects', '--url', empty.url]);
    assert.deepEqual({ code, out, notes }, { code: 0, out: '', notes: 'No projects yet\n' });
  });

  it('lists the versions of a project, newest first', async () => {
    await server.upload('many-1.0-docs.zip');
    await server.upload('many-2.0-rc1-docs.zip');
    await server.upload('many-1.10-docs.zip');
    const { code, out } = await at(['projects', 'many']);
    assert.equal(code, 0);
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const lines = [`2.0-rc1  ${time}  pre-release`, `1.10     ${time}  latest`, `1.0      ${time}`];
    assert.match(out, new RegExp(`^${lines.join('\n').replaceAll('.0', '\\.0')}\n$`));
    const project = await server.json('/api/projects/many');
    assert.deepEqual(JSON.parse((await at(['projects', 'many', '--json'])).out), project);
    for (const label of ['1.0', '2.0-rc1', '1.10']) await server.delete(`many/${label}`);
  });

  it('filters the whole list of a server that lacks an address for one project', async (context) => {
    const other = await fakeServer([refusal(404, 'not_found'), listing('1.0')]);
    context.after(() => other.close());
    const { code, out } = await lectern(['projects', 'a', '--url', other.url]);
    assert.deepEqual([code, out.split(' ')[0]], [0, '1.0']);
  });

  it('ends with 6 for a missing project, and with 2 for a name and a search', async () => {
    const missing = await at(['projects', 'wigdets']);
    assert.deepEqual([missing.code, missing.out], [6, '']);
    assert.equal(missing.notes, "lectern: There is no project 'wigdets'; did you mean 'widgets'?\n");
    assert.equal((await at(['projects', 'Widgets'])).code, 6);
    const both = await at(['projects', 'widgets', '--search', 'w']);
    assert.deepEqual([both.code, both.out], [2, '']);
    assert.match(both.notes, /give a project or --search, not both/);
  });

  it("prints the server's list as JSON", async () => {
    const { out } = await at(['projects', '--json']);
    assert.deepEqual(JSON.parse(out), await server.json('/api/projects'));
  });

  it('needs no token', async () => {
    assert.equal((await lectern(['projects', '--url', server.url])).code, 0);
  });
});

describe('lectern download', () => {
  it('writes the archive under the name of the version behind latest, and prints the name', async (context) => {
    const place = await workplace(context);
    const { code, out } = await at(['download', 'widgets', 'latest'], 'ci', place);
    assert.deepEqual({ code, out }, { code: 0, out: 'widgets-1.10-docs.zip\n' });
    const stored = await readFile(join(server.docs, 'widgets-1.10-docs.zip'));
    assert.deepEqual(await readFile(join(place, 'widgets-1.10-docs.zip')), stored);
    assert.deepEqual(await readdir(place), ['widgets-1.10-docs.zip']);
  });

  it('downloads the latest version when none is named', async (context) => {
    const place = await workplace(context);
    const { code, out } = await at(['download', 'widgets'], 'ci', place);
    assert.deepEqual({ code, out }, { code: 0, out: 'widgets-1.10-docs.zip\n' });
  });

  for (const option of [['-o', '-'], ['--output=-'], ['--output', '-']]) {
    it(`writes the archive alone to stdout with ${option.join(' ')}`, async (context) => {
      const place = await workplace(context);
      const env = { LECTERN_URL: server.url, TMPDIR: place };
      const program = [MAIN, 'download', 'widgets', '1.0', ...option];
      const { stdout } = await promisify(execFile)(process.execPath, program, {
        cwd: place,
        env,
        encoding: 'buffer',
      });
      assert.deepEqual(stdout, await readFile(join(server.docs, 'widgets-1.0-docs.zip')));
      assert.deepEqual(await readdir(place), []);
    });
  }

  it('writes nothing to stdout for an archive other than the announced one', async (context) => {
    const place = await workplace(context);
    const fake = await fakeServer([json(200, {}, { ETag: `"${'0'.repeat(64)}"` })]);
    context.after(() => fake.close());
    const run = await lectern(['download', 'a', '1', '--url', fake.url, '-o', '-'], {
      cwd: place,
      env: { TMPDIR: place },
    });
    assert.deepEqual([run.code, run.out, await readdir(place)], [1, '', []]);
  });

  it('suggests close names for a missing project', async (context) => {
    const place = await workplace(context);
    for (const [args, says] of [
      [['wigdets'], "There is no project 'wigdets'; did you mean 'widgets'?"],
      [['frobnicate', '1.0'], "There is no project 'frobnicate'"],
      [['widgets', '1.01'], "Project 'widgets' has no version '1.01'; did you mean '1.0' or '1.10'?"],
      [
        ['widgets', 'main'],
        "Project 'widgets' has no version 'main'; 'lectern projects widgets' lists its versions",
      ],
    ] as const) {
      const { code, out, notes } = await at(['download', ...args], 'ci', place);
      assert.deepEqual({ code, out, notes }, { code: 6, out: '', notes: `lectern: ${says}\n` });
    }
    assert.deepEqual(await readdir(place), []);
  });

  it('replaces a file only when named with -o', async (context) => {
    const place = await writeTree(await workplace(context), { 'widgets-1.0-docs.zip': 'mine' });
    const { code, notes } = await at(['download', 'widgets', '1.0'], 'ci', place);
    assert.equal(code, 2);
    assert.match(notes, /already exists; choose another file with -o/);
    assert.equal(await readFile(join(place, 'widgets-1.0-docs.zip'), 'utf8'), 'mine');
    assert.equal(
      (await at(['download', 'widgets', '1.0', '-o', 'widgets-1.0-docs.zip'], 'ci', place)).code,
      0,
    );
    const stored = await readFile(join(server.docs, 'widgets-1.0-docs.zip'));
    assert.deepEqual(await readFile(join(place, 'widgets-1.0-docs.zip')), stored);
  });

  for (const [where, file, why] of [
    ['over a directory', 'there', 'a directory, not a file'],
    ['into a directory that is not there', join('nowhere', 'x.zip'), 'no such file or directory'],
  ] as const) {
    it(`refuses to write ${where}, and leaves no file`, async (context) => {
      const place = await writeTree(await workplace(context), { 'there/file': 'mine' });
      const run = await at(['download', 'widgets', '1.0', '-o', file], 'ci', place);
      assert.deepEqual(run, { code: 2, out: '', notes: `lectern: ${file}: ${why}\n` });
      assert.deepEqual([await readdir(place), await readdir(join(place, 'there'))], [['there'], ['file']]);
    });
  }

  it('ends with 6 for a missing version, and leaves no file', async (context) => {
    const place = await workplace(context);
    assert.equal((await at(['download', 'widgets', '9'], 'ci', place)).code, 6);
    assert.equal((await at(['download', 'nothing', 'latest', '-o', 'x.zip'], 'ci', place)).code, 6);
    assert.deepEqual(await readdir(place), []);
  });

  it("refuses a file name that is no archive's", async (context) => {
    const place = await workplace(context);
    const fake = await fakeServer([
      json(200, {}, { 'Content-Disposition': 'attachment; filename="../../.bashrc"' }),
    ]);
    context.after(() => fake.close());
    const { code, notes } = await lectern(['download', 'a', '1', '--url', fake.url], { cwd: place });
    assert.equal(code, 1);
    assert.match(notes, /no usable file name/);
    assert.deepEqual(await readdir(place), []);
  });

  it('detects an archive other than the announced one', async (context) => {
    const place = await workplace(context);
    const fake = await fakeServer([json(200, {}, { ETag: `"${'0'.repeat(64)}"` })]);
    context.after(() => fake.close());
    const run = await lectern(['download', 'a', '1', '--url', fake.url, '-o', 'a.zip'], { cwd: place });
    assert.equal(run.code, 1);
    assert.match(run.notes, /The downloaded archive is damaged/);
    assert.deepEqual(await readdir(place), []);
  });
});

describe('lectern delete', () => {
  it('deletes nothing without confirmation outside of a terminal', async () => {
    const before = await tree(server.docs);
    const { code, notes } = await at(['delete', 'widgets', '1.0'], 'admin');
    assert.equal(code, 2);
    assert.match(notes, /^lectern: Not a terminal: add --yes to delete without confirmation$/m);
    assert.deepEqual(await tree(server.docs), before);
  });

  it('ends with 5 when the token lacks the right, and with 6 for a missing version', async () => {
    const before = await tree(server.docs);
    assert.equal((await at(['delete', 'widgets', '1.0', '--yes'], 'ci')).code, 5);
    assert.equal((await at(['delete', 'widgets', '7', '--yes'], 'admin')).code, 6);
    assert.deepEqual(await tree(server.docs), before);
  });

  it('suggests close names, and does not accept latest as a version', async () => {
    const before = await tree(server.docs);
    for (const [args, says] of [
      [['wigdets', '1.0'], "There is no project 'wigdets'; did you mean 'widgets'?"],
      [['widgets', '1.1'], "Project 'widgets' has no version '1.1'; did you mean '1.0' or '1.10'?"],
      [
        ['widgets', 'latest'],
        "'latest' is an alias and cannot be deleted; name the version, which is '1.10' now",
      ],
      [['wigdets', 'Latest'], "There is no project 'wigdets'; did you mean 'widgets'?"],
    ] as const) {
      const { code, out, notes } = await at(['delete', ...args, '--yes'], 'admin');
      assert.deepEqual({ code, out, notes }, { code: 6, out: '', notes: `lectern: ${says}\n` });
    }
    assert.deepEqual(await tree(server.docs), before);
  });

  it('deletes for good with --purge', async () => {
    await server.upload('gone-2.0-docs.zip');
    const { code, notes } = await at(['delete', 'gone', '2.0', '--purge', '--yes'], 'admin');
    assert.deepEqual({ code, notes }, { code: 0, notes: 'Deleted gone 2.0 permanently\n' });
    assert.equal((await server.get('/gone-2.0/')).status, 404);
  });

  it('deletes with --yes', async () => {
    await server.upload('gone-1.10-docs.zip');
    const { code, notes } = await at(['delete', 'gone', '1.10', '--yes'], 'admin');
    assert.deepEqual({ code, notes }, { code: 0, notes: 'Deleted gone 1.10\n' });
    assert.equal((await server.get('/gone-1.10/')).status, 404);
  });
});

describe('lectern hide, deprecate, alias and pin', () => {
  before(async () => {
    for (const label of ['1.0', '2.0']) await server.upload(`a-${label}-docs.zip`);
  });
  after(async () => {
    for (const label of ['1.0', '2.0']) await server.delete(`a/${label}`);
  });
  const settings = async () => (await server.json('/api/projects/a')).settings;

  it('change a version and undo it, which the list of versions shows', async () => {
    for (const [args, notes, after] of [
      [['hide', 'a', '2.0'], 'a 2.0 is hidden', { hidden: ['2.0'] }],
      [['hide', 'a', '2.0'], 'a 2.0 is hidden', { hidden: ['2.0'] }],
      [
        ['deprecate', 'a', '1.0', 'Loses data; use 2.0'],
        'a 1.0 is deprecated',
        { hidden: ['2.0'], deprecated: { '1.0': 'Loses data; use 2.0' } },
      ],
    ] as const) {
      assert.deepEqual(await at(args, 'manager'), { code: 0, out: '', notes: `${notes}\n` });
      assert.deepEqual(await settings(), after);
    }
    const { out } = await at(['projects', 'a']);
    assert.match(out, /^2\.0 .*Z {2}hidden\n1\.0 .*Z {2}latest, deprecated: Loses data; use 2\.0\n$/);
    assert.equal((await at(['hide', 'a', '2.0', '--undo'], 'manager')).notes, 'a 2.0 is not hidden\n');
    const undone = await at(['deprecate', 'a', '1.0', '--undo'], 'manager');
    assert.equal(undone.notes, 'a 1.0 is not deprecated\n');
    assert.deepEqual(await settings(), {});
  });

  it('set an alias and a pin by a version or a series', async () => {
    for (const [args, notes, after] of [
      [['alias', 'a', 'stable', '1.x'], 'a: stable -> 1.x', { aliases: { stable: '1.x' } }],
      [['pin', 'a', '1.0'], 'a: latest -> 1.0', { aliases: { latest: '1.0', stable: '1.x' } }],
      [['alias', 'a', 'stable', '--undo'], 'a: stable is not an alias', { aliases: { latest: '1.0' } }],
    ] as const) {
      assert.deepEqual(await at(args, 'manager'), { code: 0, out: '', notes: `${notes}\n` });
      assert.deepEqual(await settings(), after);
    }
    assert.match((await at(['projects', 'a'])).out, /^2\.0 .*Z\n1\.0 .*Z {2}latest\n$/);
    assert.equal((await at(['pin', 'a', '--undo'], 'manager')).notes, 'a: latest is not pinned\n');
  });

  it('print a refusal with a remedy, and change nothing', async () => {
    for (const [args, token, code, notes] of [
      [['hide', 'a', '2.0'], 'ci', 5, /use a token with 'allow_manage'/],
      [['hide', 'a', '2.00'], 'manager', 6, /no version '2\.00'; did you mean '2\.0'\?/],
      [['deprecate', 'a', '2.0'], 'manager', 2, /give a message for readers, or --undo/],
      [['deprecate', 'a', '2.0', 'Old', '--undo'], 'manager', 2, /give a message for readers, or --undo/],
      [['alias', 'a', 'stable'], 'manager', 2, /give a version, or a series such as 2\.x, or --undo/],
      [['alias', 'a', '2.0', '1.0'], 'manager', 1, /\/a-2\.0\/ belongs to version '2\.0'/],
      [['pin', 'a', '2.00'], 'manager', 6, /no version '2\.00'; did you mean '2\.0'\?/],
      [['deprecate', 'a', '2.0', ' '], 'manager', 1, /message: expected a non-empty string/],
    ] as const) {
      const run = await at(args, token);
      assert.deepEqual([run.code, run.out], [code, ''], args.join(' '));
      assert.match(run.notes, notes);
    }
    assert.deepEqual(await settings(), {});
  });
});

describe('lectern describe', () => {
  before(() => server.upload('a-1.0-docs.zip'));
  after(() => server.delete('a/1.0'));
  const about = async () => (await server.json('/api/projects/a')).settings.about;

  it('changes the given fields, keeps all other fields, shows them, and removes them', async () => {
    const first = await at(['describe', 'a', '--title', '1.10', '--tag', 'sdk', '--tag', 'b,c'], 'manager');
    assert.deepEqual(first, { code: 0, out: '', notes: 'Updated a: tags, title\n' });
    assert.deepEqual(await about(), { title: '1.10', tags: ['sdk', 'b', 'c'] });
    await at(['describe', 'a', '--title', '', '--owner', 'Team Blue'], 'manager');
    assert.deepEqual(await about(), { owner: 'Team Blue', tags: ['sdk', 'b', 'c'] });
    assert.equal((await at(['describe', 'a'])).out, 'owner: Team Blue\ntags: sdk, b, c\n');
    assert.equal(
      (await at(['describe', 'a', '--undo'], 'manager')).notes,
      'a has no overrides; its docinfo applies\n',
    );
    assert.deepEqual(await at(['describe', 'a']), {
      code: 0,
      out: '',
      notes: 'a has no overrides; its docinfo applies\n',
    });
  });

  it('prints a refusal with a remedy, and changes nothing', async () => {
    for (const [args, token, code, notes] of [
      [['describe', 'a', '--title', 'A'], 'ci', 5, /use a token with 'allow_manage'/],
      [['describe', 'aa', '--title', 'A'], 'manager', 6, /no project 'aa'; did you mean 'a'\?/],
      [['describe', 'a', '--title', 'A', '--undo'], 'manager', 2, /give fields or --undo, not both/],
      [['describe', 'a', '--title', 'x'.repeat(101)], 'manager', 1, /about\.title: expected at most 100/],
    ] as const) {
      const run = await at(args, token);
      assert.deepEqual([run.code, run.out], [code, ''], args.join(' '));
      assert.match(run.notes, notes);
    }
    assert.equal(await about(), undefined);
  });
});

describe('lectern removed and restore', () => {
  let keeping: TestServer;
  before(async () => {
    keeping = await TestServer.start({ keepRemovedMs: 7 * 24 * 3_600_000 });
  });
  after(() => keeping.close());
  const run = (args: readonly string[], token = 'manager') =>
    lectern(args, { env: { LECTERN_URL: keeping.url, LECTERN_TOKEN: `secret-${token}` } });

  it('undo a deletion and a replacement', async () => {
    assert.deepEqual(await run(['removed']), { code: 0, out: '', notes: 'Nothing to restore\n' });
    await keeping.upload('a-1.0-docs.zip', { 'index.html': 'first' });
    await keeping.upload('a-1.0-docs.zip', { 'index.html': 'second' });
    await keeping.delete('a/1.0');
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const row = (how: string) => String.raw`a  1\.0  \d+ bytes  ${how} ${time} +until ${time}  \S+\n`;
    const { out } = await run(['removed', 'a']);
    assert.match(out, new RegExp(`^${row('deleted')}${row('replaced')}$`));
    assert.equal((await run(['removed', 'b'])).out, '');
    assert.equal(JSON.parse((await run(['removed', '--json'])).out).count, 2);
    const done = await run(['restore', 'a', '1.0']);
    assert.deepEqual(done, { code: 0, out: `${keeping.url}/a-1.0/\n`, notes: 'Restored a 1.0 at /a-1.0/\n' });
    assert.equal(await (await keeping.get('/a-1.0/')).text(), 'second');
    const taken = await run(['restore', 'a', '1.0']);
    assert.deepEqual([taken.code, taken.out], [4, '']);
    assert.match(taken.notes, /Add --replace/);
    assert.equal((await run(['restore', 'a', '1.0', '--replace'], 'owner')).code, 0);
    assert.equal(await (await keeping.get('/a-1.0/')).text(), 'first');
  });

  it('end with 5 without the right, and with 6 when nothing is kept', async () => {
    assert.equal((await run(['removed'], 'ci')).code, 5);
    assert.equal((await run(['restore', 'a', '1.0'], 'admin')).code, 5);
    assert.equal((await run(['restore', 'a', '7.0'])).code, 6);
  });
});

describe('lectern status', () => {
  for (const [token, may] of [
    ['admin', 'publish, replace, delete versions of every project'],
    ['ci', 'publish versions of every project'],
    ['scoped', 'publish, delete versions of a, lib-2'],
    ['existing', 'publish versions of every project, if the project exists'],
    ['manager', 'publish versions of a; change settings'],
  ] as const) {
    it(`shows the server, and the rights of the token ${token}`, async () => {
      const { code, out } = await at(['status'], token);
      assert.deepEqual(
        { code, out },
        {
          code: 0,
          out: [
            `server    ${server.url}`,
            'version   lectern DEV',
            'projects  2, with 3 versions',
            `token     ${token} (from LECTERN_TOKEN)`,
            `may       ${may}`,
            '',
          ].join('\n'),
        },
      );
    });
  }

  it("names the shadowed aliases of the token's projects", async (context) => {
    const other = await TestServer.start();
    context.after(() => other.close());
    for (const name of ['a-1.0', 'b-1.0']) await other.upload(`${name}-docs.zip`);
    for (const project of ['a', 'b']) {
      const setting = await fetch(`${other.url}/api/aliases/${project}/x`, {
        method: 'PUT',
        headers: { 'X-Token': 'secret-deleter', 'Content-Type': 'application/json' },
        body: JSON.stringify({ target: '1.0' }),
      });
      assert.equal(setting.status, 200, await setting.text());
      await other.upload(`${project}-x-1.0-docs.zip`);
    }
    const status = (token: string) =>
      lectern(['status'], { env: { LECTERN_URL: other.url, LECTERN_TOKEN: `secret-${token}` } });
    const sentence = (project: string) =>
      `aliases   The alias 'x' is shadowed by the project '${project}-x', which has its address\n`;
    assert.ok((await status('manager')).out.endsWith(`change settings\n${sentence('a')}`));
    assert.ok((await status('ci')).out.endsWith(sentence('a') + sentence('b')));
  });

  it('needs no token, and works with a server that does not describe tokens', async (context) => {
    const { code, out } = await lectern(['status', '--url', server.url]);
    assert.equal(code, 0);
    assert.match(out, /^token {5}not set$/m);
    const other = await fakeServer([
      json(200, { product: 'other', version: '1' }),
      listing('1.0'),
      refusal(404, 'not_found'),
    ]);
    context.after(() => other.close());
    const run = await lectern(['status', '--url', other.url, '--token', 'secret']);
    assert.equal(run.code, 0, run.notes);
    assert.match(run.out, /^token {5}from --token; this server does not report its rights$/m);
    assert.match(run.out, /^projects {2}1, with 1 version$/m);
  });

  it('ends with 5 for an unknown token', async () => {
    const { code, out } = await at(['status'], 'wrong');
    assert.equal(code, 5);
    assert.match(out, /^token {5}unknown to the server \(from LECTERN_TOKEN\)$/m);
  });

  it('ends with 3 when the server is no documentation server', async (context) => {
    const other = await fakeServer([(_request, response) => response.writeHead(404).end('<h1>?</h1>')]);
    context.after(() => other.close());
    const { code, notes } = await lectern(['status', '--url', other.url]);
    assert.equal(code, 3);
    assert.equal(notes, `lectern: No documentation server at ${other.url}\n`);
  });
});

describe('lectern search', () => {
  const page = (title: string, body: string) =>
    `<title>${title}</title><main><h1>${title}</h1>${body}</main>`;

  it('prints the place, the address and a snippet of each page, best first', async () => {
    await server.upload('gadgets-1.0-docs.zip', {
      'index.html': page('Gadgets', '<p>Spinning flywheels, mostly.</p>'),
      'care.html': page('Care', '<h2 id="oil">Oil</h2><p>Oil the flywheel once a year.</p>'),
    });
    await server.isIndexed();
    assert.deepEqual(await at(['search', '"the flywheel"', 'oil']), {
      code: 0,
      out: `gadgets 1.0: Care › Oil\n  ${server.url}/gadgets-latest/care.html#oil\n  Oil the flywheel once a year.\n`,
      notes: '',
    });
    const { code, out } = await at([
      'search',
      '"spinning flywheels"',
      '--project',
      'gadgets',
      '--version',
      '1.0',
    ]);
    assert.equal(code, 0);
    assert.match(out, /^gadgets 1\.0: Gadgets\n/);
  });

  it('names the last searched heading of a page that is too long', async () => {
    await server.upload('tome-1.0-docs.zip', {
      'index.html': page('Tome', `<h2>Spine</h2><p>Bound in leather.${'<div>'.repeat(600)}Gilded.`),
    });
    await server.isIndexed();
    const { out } = await at(['search', 'leather']);
    assert.match(out, /\n {2}This page is searched up to 'Spine': the rest is too long\n$/);
  });

  it('names projects with an equal page, the first eight of them', async () => {
    for (let at = 1; at <= 11; at += 1) {
      await server.upload(`part${String(at).padStart(2, '0')}-1.0-docs.zip`, {
        'index.html': page('Settings', `<p>Lubrication number ${at}.</p>`),
      });
    }
    await server.isIndexed();
    const { out } = await at(['search', 'lubrication', 'number']);
    assert.equal(out.match(/Settings/g)?.length, 1);
    assert.match(out, /\n {2}The same in (part\d\d 1\.0, ){7}part\d\d 1\.0 and 2 more \(--json has all\)\n$/);
  });

  it('searches a group, tag or owner, up to a number of pages, or all versions of a project', async () => {
    for (const [project, docinfo] of [
      ['whisk', 'group: Kitchen\ntags: [quiet]\n'],
      ['mixer', 'group: Kitchen\ntags: [loud]\n'],
      ['hammer', 'group: Workshop\ntags: [loud]\nowner: Team Blue\n'],
    ] as const) {
      await server.upload(`${project}-1.0-docs.zip`, {
        'docinfo.yaml': docinfo,
        'index.html': page(project, '<p>It has a handle.</p>'),
      });
    }
    await server.isIndexed();
    const found = async (...args: string[]) => {
      const { code, out } = await at(['search', 'handle', ...args]);
      return [code, ...(out.match(/^\S+ \S+(?=:)/gm) ?? []).sort()];
    };
    assert.deepEqual(await found(), [0, 'hammer 1.0', 'mixer 1.0', 'whisk 1.0']);
    assert.deepEqual(await found('--group', 'kitchen'), [0, 'mixer 1.0', 'whisk 1.0']);
    assert.deepEqual(await found('--tag', 'loud'), [0, 'hammer 1.0', 'mixer 1.0']);
    assert.deepEqual(await found('--group', 'Kitchen', '--tag', 'loud'), [0, 'mixer 1.0']);
    assert.deepEqual(await found('--owner', 'team blue'), [0, 'hammer 1.0']);
    assert.deepEqual(await found('--group', 'Garden'), [6]);
    assert.equal((await found('--limit', '2')).length, 3);
    for (const limit of ['0', '51', 'x']) {
      const { code, notes } = await at(['search', 'handle', '--limit', limit]);
      assert.equal(code, 1, limit);
      assert.match(notes, /limit/, limit);
    }
    await server.upload('whisk-2.0-docs.zip', { 'index.html': page('whisk', '<p>No grip.</p>') });
    await server.isIndexed();
    assert.deepEqual(await found('--project', 'whisk'), [6]);
    assert.deepEqual(await found('--project', 'whisk', '--version', 'all'), [0, 'whisk 1.0']);
  });

  it('names the project that the words restrict the search to, unless told to search all', async () => {
    const named = await at(['search', 'mixer:', 'handle']);
    const note = 'Searched only mixer 1.0, which the words name; add --all-projects to search all projects\n';
    assert.deepEqual([named.code, named.notes], [0, note]);
    const everywhere = await at(['search', '--all-projects', 'mixer:', 'handle']);
    assert.deepEqual([everywhere.code, everywhere.notes], [0, '']);
  });

  it('prints the path of a page without a title', async () => {
    await server.upload('untitled-1.0-docs.zip', { 'plain.html': '<main><p>A lonely sprocket.</p></main>' });
    await server.isIndexed();
    const { code, out } = await at(['search', 'sprocket']);
    assert.equal(code, 0);
    assert.match(out, /^untitled 1\.0: plain\.html\n/);
  });

  it('prints the response of the server as JSON', async () => {
    const { out } = await at(['search', 'flywheel', '--json']);
    assert.deepEqual(JSON.parse(out), await server.json('/api/search?q=flywheel'));
  });

  it('prints the corrected typo, and reports an empty result with exit code 6', async () => {
    const corrected = await at(['search', 'gadgts', 'oil']);
    assert.deepEqual(
      [corrected.code, corrected.notes],
      [0, "No page has 'gadgts'; showing results for 'gadgets'\n"],
    );
    assert.deepEqual(await at(['search', 'qqqq']), { code: 6, out: '', notes: "No page has 'qqqq'\n" });
    assert.equal((await at(['search', 'qqqq', '--json'])).code, 6);
  });

  it('reports a stopped search on stderr, and not an empty result', async (context) => {
    const slow = new MemorySearchIndex();
    const search = slow.search.bind(slow);
    slow.search = async (...asked) => ({ ...(await search(...asked)), incomplete: true });
    const stopped = await TestServer.start({ search: slow });
    context.after(() => stopped.close());
    await stopped.upload('gadgets-1.0-docs.zip', { 'index.html': '<title>Oil</title><p>Some oil.' });
    await stopped.isIndexed();
    const notes =
      'The search took too long and was stopped, so there may be more. Search one project, or use other words\n';
    const found = await lectern(['search', 'oil', '--url', stopped.url]);
    assert.deepEqual([found.code, found.notes], [0, notes]);
    assert.match(found.out, /^gadgets [^\n]*Oil/);
    assert.deepEqual(await lectern(['search', 'qqqq', '--url', stopped.url]), { code: 6, out: '', notes });
  });

  it('names a close project or version, and refuses an empty search', async () => {
    const missing = await at(['search', 'oil', '--project', 'gadgts']);
    assert.deepEqual(
      [missing.code, missing.out, missing.notes.includes("did you mean 'gadgets'?")],
      [6, '', true],
    );
    assert.equal((await at(['search', 'oil', '--project', 'gadgets', '--version', '9.9'])).code, 6);
    const preview = await at(['search', 'oil', '--project', 'gadgets', '--version', '~pr-1']);
    assert.equal(preview.code, 6);
    assert.match(preview.notes, /no preview 'pr-1'.*; 'lectern previews gadgets' lists its previews\n$/);
    for (const args of [['search'], ['search', ' '], ['search', 'oil', '--version', '1.0']]) {
      assert.equal((await at(args)).code, 2, args.join(' '));
    }
  });

  it('reports a server without search', async (context) => {
    const without = await TestServer.start();
    context.after(() => without.close());
    const { code, notes } = await lectern(['search', 'oil', '--url', without.url]);
    assert.equal(code, 1);
    assert.match(notes, /has no page search/);
  });
});

describe('Text from the server', () => {
  it('reaches the terminal without control sequences', async (context) => {
    const fake = await fakeServer([
      json(200, {
        count: 1,
        projects: [
          {
            name: '\u001b[31mred',
            directory_name: 'a\u202eb',
            description: 'one\r\ntwo\u0007',
            versions: [{ version: '1\u001b[2J', directory_name: 'x', url: '/x/' }],
            latest_version_dir: 'x',
          },
        ],
      }),
    ]);
    context.after(() => fake.close());
    const { out } = await lectern(['projects', '--url', fake.url]);
    assert.equal(out, 'a\\u202eb  1\\u001b[2J (1 version)  \\u001b[31mred: one\\u000d\\u000atwo\\u0007\n');
  });

  it('reaches the terminal without control sequences as field names, and in the section for agents', async (context) => {
    const project = {
      name: 'a',
      directory_name: 'a\u001b[1m',
      description: '',
      versions: [{ version: '1\u001b[2J\u202e', directory_name: 'x', url: '/x/' }],
      latest_version_dir: 'x',
    };
    const fake = await fakeServer([
      json(200, { ...project, settings: { about: { 'ti\u001b[2Jtle': 'A' } } }),
      json(200, { count: 1, projects: [project] }),
    ]);
    context.after(() => fake.close());
    const described = await lectern(['describe', 'a', '--url', fake.url]);
    assert.equal(described.out, 'ti\\u001b[2Jtle: A\n');
    const { out } = await lectern(['agents-md', '--url', fake.url]);
    assert.ok(out.includes('| a\\u001b[1m | 1\\u001b[2J\\u202e |'), out);
  });

  it('is printed unchanged otherwise, and so is its code to scripts', async (context) => {
    const fake = await fakeServer([refusal(418, 'teapot')]);
    context.after(() => fake.close());
    const { code, notes } = await lectern(['projects', '--url', fake.url]);
    assert.deepEqual({ code, notes }, { code: 1, notes: 'lectern: the server says teapot\n' });
  });
});
