import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { leftovers } from '../robustness/leftovers.js';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { fakeServer, json, listing, refusal } from './fake-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
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

/** What lies in a docs directory, once versions that were replaced before are removed. */
async function settledTree(docs: string): Promise<readonly string[]> {
  await until(async () => (await leftovers(docs)).length === 0);
  return tree(docs);
}

describe('lectern projects', () => {
  it('lists them with the latest version, one to a line', async () => {
    const { code, out } = await at(['projects']);
    assert.equal(code, 0);
    assert.equal(out, 'tool     main (1 version)\nwidgets  1.10 (2 versions)  Widgets: For every purpose\n');
  });

  it('searches them', async () => {
    assert.match((await at(['projects', '--search', 'WIDG'])).out, /^widgets [^\n]*\n$/);
  });

  it('says so when nothing is found, and what is close', async () => {
    for (const [term, sentence] of [
      ['frobnicate', "No project has 'frobnicate' in its name"],
      ['wigdets', "No project has 'wigdets' in its name; did you mean 'widgets'?"],
    ] as const) {
      const { code, out, notes } = await at(['projects', '--search', term]);
      assert.deepEqual({ code, out, notes }, { code: 0, out: '', notes: `${sentence}\n` });
    }
  });

  it('says so when there are none', async (context) => {
    const empty = await fakeServer([listing()]);
    context.after(() => empty.close());
    const { code, out, notes } = await lectern(['projects', '--url', empty.url]);
    assert.deepEqual({ code, out, notes }, { code: 0, out: '', notes: 'There are no projects yet\n' });
  });

  it('lists the versions of one, newest first', async () => {
    await server.upload('many-1.0-docs.zip');
    await server.upload('many-2.0-rc1-docs.zip');
    await server.upload('many-1.10-docs.zip');
    const { code, out } = await at(['projects', 'many']);
    assert.equal(code, 0);
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const lines = [`2.0-rc1  ${time}  pre-release`, `1.10     ${time}  latest`, `1.0      ${time}`];
    assert.match(out, new RegExp(`^${lines.join('\n').replaceAll('.0', '\\.0')}\n$`));
    const { projects } = await server.json('/api/projects?search=many');
    assert.deepEqual(JSON.parse((await at(['projects', 'many', '--json'])).out), projects[0]);
    for (const label of ['1.0', '2.0-rc1', '1.10']) await server.delete(`many/${label}`);
  });

  it('ends with 6 for one that is not there, and with 2 for a name and a search', async () => {
    const missing = await at(['projects', 'wigdets']);
    assert.deepEqual([missing.code, missing.out], [6, '']);
    assert.equal(missing.notes, "lectern: There is no project 'wigdets'; did you mean 'widgets'?\n");
    assert.equal((await at(['projects', 'Widgets'])).code, 6);
    const both = await at(['projects', 'widgets', '--search', 'w']);
    assert.deepEqual([both.code, both.out], [2, '']);
    assert.match(both.notes, /give the name of a project or --search, not both/);
  });

  it('gives what the server says as JSON', async () => {
    const { out } = await at(['projects', '--json']);
    assert.deepEqual(JSON.parse(out), await server.json('/api/projects'));
  });

  it('needs no token', async () => {
    assert.equal((await lectern(['projects', '--url', server.url])).code, 0);
  });
});

describe('lectern download', () => {
  it('writes the archive under the name of the version that latest stands for, and prints it', async (context) => {
    const place = await workplace(context);
    const { code, out } = await at(['download', 'widgets', 'latest'], 'ci', place);
    assert.deepEqual({ code, out }, { code: 0, out: 'widgets-1.10-docs.zip\n' });
    const stored = await readFile(join(server.docs, 'widgets-1.10-docs.zip'));
    assert.deepEqual(await readFile(join(place, 'widgets-1.10-docs.zip')), stored);
    assert.deepEqual(await readdir(place), ['widgets-1.10-docs.zip']);
  });

  it('takes the latest version when none is named', async (context) => {
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

  it('writes nothing to stdout for an archive that is not the announced one', async (context) => {
    const place = await workplace(context);
    const fake = await fakeServer([json(200, {}, { ETag: `"${'0'.repeat(64)}"` })]);
    context.after(() => fake.close());
    const run = await lectern(['download', 'a', '1', '--url', fake.url, '-o', '-'], {
      cwd: place,
      env: { TMPDIR: place },
    });
    assert.deepEqual([run.code, run.out, await readdir(place)], [1, '', []]);
  });

  it('suggests what is close to a name that is not there', async (context) => {
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

  it('replaces no file unless it is named with -o', async (context) => {
    const place = await writeTree(await workplace(context), { 'widgets-1.0-docs.zip': 'mine' });
    const { code, notes } = await at(['download', 'widgets', '1.0'], 'ci', place);
    assert.equal(code, 2);
    assert.match(notes, /exists already; name another file with -o/);
    assert.equal(await readFile(join(place, 'widgets-1.0-docs.zip'), 'utf8'), 'mine');
    assert.equal(
      (await at(['download', 'widgets', '1.0', '-o', 'widgets-1.0-docs.zip'], 'ci', place)).code,
      0,
    );
    const stored = await readFile(join(server.docs, 'widgets-1.0-docs.zip'));
    assert.deepEqual(await readFile(join(place, 'widgets-1.0-docs.zip')), stored);
  });

  it('ends with 6 when there is no such version, and leaves no file', async (context) => {
    const place = await workplace(context);
    assert.equal((await at(['download', 'widgets', '9'], 'ci', place)).code, 6);
    assert.equal((await at(['download', 'nothing', 'latest', '-o', 'x.zip'], 'ci', place)).code, 6);
    assert.deepEqual(await readdir(place), []);
  });

  it('believes no name that is not an archive', async (context) => {
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

  it('notices an archive that is not the announced one', async (context) => {
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
  it('deletes nothing unasked where nobody can be asked', async () => {
    const before = await settledTree(server.docs);
    const { code, notes } = await at(['delete', 'widgets', '1.0'], 'admin');
    assert.equal(code, 2);
    assert.match(notes, /^lectern: Not a terminal: add --yes to delete without confirmation$/m);
    assert.deepEqual(await settledTree(server.docs), before);
  });

  it('ends with 5 when the token may not, and with 6 when there is no such version', async () => {
    const before = await settledTree(server.docs);
    assert.equal((await at(['delete', 'widgets', '1.0', '--yes'], 'ci')).code, 5);
    assert.equal((await at(['delete', 'widgets', '7', '--yes'], 'admin')).code, 6);
    assert.deepEqual(await settledTree(server.docs), before);
  });

  it('suggests what is close, and takes latest for no version', async () => {
    const before = await settledTree(server.docs);
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
    assert.deepEqual(await settledTree(server.docs), before);
  });

  it('deletes with --yes', async () => {
    await server.upload('gone-1.10-docs.zip');
    const { code, notes } = await at(['delete', 'gone', '1.10', '--yes'], 'admin');
    assert.deepEqual({ code, notes }, { code: 0, notes: 'gone 1.10 is deleted\n' });
    assert.equal((await server.get('/gone-1.10/')).status, 404);
  });
});

describe('lectern status', () => {
  for (const [token, may] of [
    ['admin', 'publish, replace, delete versions of every project'],
    ['ci', 'publish versions of every project'],
    ['scoped', 'publish, delete versions of a, lib-2'],
    ['existing', 'publish versions of every project, if the project exists'],
  ] as const) {
    it(`says what the server is, and what the token ${token} may do`, async () => {
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

  it('needs no token, and no server that tells of tokens', async (context) => {
    const { code, out } = await lectern(['status', '--url', server.url]);
    assert.equal(code, 0);
    assert.match(out, /^token {5}none is set$/m);
    const other = await fakeServer([
      json(200, { product: 'other', version: '1' }),
      listing('1.0'),
      refusal(404, 'not_found'),
    ]);
    context.after(() => other.close());
    const run = await lectern(['status', '--url', other.url, '--token', 'secret']);
    assert.equal(run.code, 0, run.notes);
    assert.match(run.out, /^token {5}from --token; this server does not say what it may do$/m);
  });

  it('ends with 5 for a token that the server does not know', async () => {
    const { code, out } = await at(['status'], 'wrong');
    assert.equal(code, 5);
    assert.match(out, /^token {5}not known to the server \(from LECTERN_TOKEN\)$/m);
  });

  it('ends with 3 where there is no documentation server', async (context) => {
    const other = await fakeServer([(_request, response) => response.writeHead(404).end('<h1>?</h1>')]);
    context.after(() => other.close());
    const { code, notes } = await lectern(['status', '--url', other.url]);
    assert.equal(code, 3);
    assert.equal(notes, `lectern: There is no documentation server at ${other.url}\n`);
  });
});

describe('What a server says', () => {
  it('reaches the terminal without anything that the terminal would obey', async (context) => {
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

  it('is shown as it is otherwise, and so is its code to scripts', async (context) => {
    const fake = await fakeServer([refusal(418, 'teapot')]);
    context.after(() => fake.close());
    const { code, notes } = await lectern(['projects', '--url', fake.url]);
    assert.deepEqual({ code, notes }, { code: 1, notes: 'lectern: the server says teapot\n' });
  });
});
