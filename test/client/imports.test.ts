import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { lectern, workplace, writeTree } from './lectern.js';

/** As docat lays it out: its own database and locations beside `doc`, tags as links, logos, `.hidden` in a version. */
async function docatTree(directory: string): Promise<string> {
  await writeTree(directory, {
    'db.json': '{"claims": {}}',
    'index.json': '{}',
    'doc/widgets/1.0.0/index.html': 'widgets 1.0.0',
    'doc/widgets/1.0.0/.nojekyll': '',
    'doc/widgets/2.0.0/index.html': 'widgets 2.0.0',
    'doc/widgets/2.0.0/page.html': 'page',
    'doc/widgets/3.0.0/index.html': 'not yet',
    'doc/widgets/3.0.0/.hidden': '',
    'doc/widgets/logo': 'an image',
    'doc/tool/main/index.html': 'tool main',
    'doc/with space/1.0/index.html': 'x',
    'doc/a/b-1.0/index.html': 'x',
  });
  await symlink('2.0.0', join(directory, 'doc/widgets/latest'));
  await mkdir(join(directory, 'doc/tool/empty'));
  return directory;
}

/** Versions of docat with tags: of a version, of a tag, of what is not there, of itself, and one that no alias can be called. */
async function docatWithTags(place: string): Promise<string> {
  const from = await writeTree(join(place, 'docat'), {
    'doc/widgets/1.0.0/index.html': 'one',
    'doc/widgets/2.0.0/index.html': 'two',
    'doc/widgets/3.0.0/index.html': 'not yet',
    'doc/widgets/3.0.0/.hidden': '',
    'doc/tool/main/index.html': 'main',
  });
  for (const [tag, target] of [
    ['widgets/latest', '1.0.0'],
    ['widgets/stable', '/var/docat/doc/widgets/2.0.0'],
    ['widgets/lts', 'stable'],
    ['widgets/gone', '0.9'],
    ['widgets/around', 'around'],
    ['widgets/to do', '1.0.0'],
    ['tool/latest', 'main'],
  ] as const) {
    await symlink(target, join(from, 'doc', tag));
  }
  return from;
}

async function changeByHand(docs: string, settings: object): Promise<void> {
  await writeFile(join(docs, '.lectern/projects/widgets.json'), JSON.stringify(settings));
}

async function serve(context: TestContext, docs: string) {
  const server = await TestServer.start({ docs });
  context.after(() => server.close());
  return server;
}

describe('lectern import docat', () => {
  it('copies every version in, and gives a reason for everything it skips', async (context) => {
    const place = await workplace(context);
    const from = await docatTree(join(place, 'docat'));
    const before = await tree(from);
    const { code, out, notes } = await lectern(['import', 'docat', from, '-d', join(place, 'docs')]);
    assert.equal(code, 1, notes);
    assert.deepEqual(out.trimEnd().split('\n').sort(), [
      '4 imported, 3 not imported',
      "a/b-1.0: not imported: together they would be read back as version '1.0' of 'a-b'; use b_1.0",
      `tool-empty: not imported: ${join(from, 'doc/tool/empty')} contains no files`,
      'tool-main: imported',
      'widgets-1.0.0: imported',
      'widgets-2.0.0: imported',
      'widgets-3.0.0: imported: hidden',
      "widgets/latest: note: is a tag for 2.0.0, which Lectern's 'latest' already is",
      "widgets/logo: note: is the project's logo; set it in the docinfo of a site instead",
      "with space/1.0: not imported: a project may not contain ' '; use with-space",
    ]);
    assert.deepEqual(await tree(from), before);

    const server = await serve(context, join(place, 'docs'));
    const { projects } = await server.json('/api/projects');
    assert.deepEqual(
      projects.map((project: { latest_version_dir: string }) => project.latest_version_dir),
      ['tool-main', 'widgets-2.0.0'],
    );
    assert.deepEqual((await server.json('/api/projects/widgets')).settings, { hidden: ['3.0.0'] });
    assert.equal((await server.get('/widgets-3.0.0/')).status, 200);
    assert.equal(await (await server.get('/widgets-latest/page.html')).text(), 'page');
    assert.equal((await server.get('/api/download/widgets/1.0.0')).status, 200);
  });

  it('imports tags as aliases, a custom latest as a pin, and hidden versions as hidden', async (context) => {
    const place = await workplace(context);
    const from = await docatWithTags(place);
    const reported = (taken: string) => [
      "tool/latest: note: is a tag for main, which Lectern's 'latest' already is",
      `tool-main: ${taken}`,
      `widgets-1.0.0: ${taken}`,
      `widgets-2.0.0: ${taken}`,
      `widgets-3.0.0: ${taken}: hidden`,
      'widgets/around: not imported: is a tag for around, which is not imported',
      'widgets/gone: not imported: is a tag for 0.9, which is not imported',
      `widgets/latest: ${taken}: latest is pinned to 1.0.0`,
      `widgets/lts: ${taken}: an alias of 2.0.0`,
      `widgets/stable: ${taken}: an alias of 2.0.0`,
      "widgets/to do: not imported: Invalid settings for project 'widgets': 'to do' is not a valid alias; name it like a version",
      `7 ${taken}, 3 not imported`,
    ];
    const before = await tree(place);
    const dry = await lectern(['import', 'docat', from, '-d', join(place, 'docs'), '--dry-run']);
    assert.deepEqual([dry.code, dry.out.trimEnd().split('\n')], [1, reported('would be imported')]);
    assert.deepEqual(await tree(place), before);

    const { code, out } = await lectern(['import', 'docat', from, '-d', join(place, 'docs')]);
    assert.deepEqual([code, out.trimEnd().split('\n')], [1, reported('imported')]);
    const server = await serve(context, join(place, 'docs'));
    const { settings } = await server.json('/api/projects/widgets');
    assert.deepEqual(settings, {
      aliases: { latest: '1.0.0', lts: '2.0.0', stable: '2.0.0' },
      hidden: ['3.0.0'],
    });
    assert.equal(await (await server.get('/widgets-latest/')).text(), 'one');
    assert.equal(await (await server.get('/widgets-stable/')).text(), 'two');
    assert.equal((await server.json('/api/projects/tool')).settings.aliases, undefined);
  });

  it('changes no existing alias, pin or visibility, and reports differences', async (context) => {
    const place = await workplace(context);
    const docs = join(place, 'docs');
    const from = await docatWithTags(place);
    await lectern(['import', 'docat', from, '-d', docs]);
    const again = await lectern(['import', 'docat', from, '-d', docs]);
    assert.equal(again.code, 1);
    for (const name of ['widgets-3.0.0', 'widgets/latest', 'widgets/lts', 'widgets/stable']) {
      assert.ok(again.out.includes(`\n${name}: already exists\n`), again.out);
    }
    await changeByHand(docs, { aliases: { latest: '2.0.0', stable: '1.0.0' } });
    const { code, out } = await lectern(['import', 'docat', from, '-d', docs, '--dry-run']);
    assert.equal(code, 1);
    assert.match(
      out,
      /^widgets-3\.0\.0: already exists: it is hidden at the source, but not here; to hide it: lectern hide widgets 3\.0\.0$/m,
    );
    assert.match(
      out,
      /^widgets\/latest: not imported: latest is pinned to 2\.0\.0 here, and was not changed; to change it: lectern pin widgets 1\.0\.0$/m,
    );
    assert.match(
      out,
      /^widgets\/stable: not imported: is an alias of 1\.0\.0 here, and was not changed; to change it: lectern alias widgets stable 2\.0\.0$/m,
    );
    assert.match(out, /^widgets\/lts: would be imported: an alias of 2\.0\.0$/m);
    await lectern(['import', 'docat', from, '-d', docs]);
    const server = await serve(context, docs);
    const { settings } = await server.json('/api/projects/widgets');
    assert.deepEqual(settings, { aliases: { latest: '2.0.0', lts: '2.0.0', stable: '1.0.0' } });
  });

  it('imports no alias whose address a project has', async (context) => {
    const place = await workplace(context);
    const from = await writeTree(join(place, 'docat'), {
      'doc/widgets/1.0.0/index.html': 'one',
      'doc/widgets-stable/1.0.0/index.html': 'another project',
    });
    await symlink('1.0.0', join(from, 'doc/widgets/stable'));
    const { code, out } = await lectern(['import', 'docat', from, '-d', join(place, 'docs')]);
    assert.equal(code, 1);
    assert.match(out, /^widgets\/stable: not imported: .*project 'widgets-stable'/m);
    const server = await serve(context, join(place, 'docs'));
    assert.equal((await server.json('/api/projects/widgets')).settings.aliases, undefined);
    assert.equal(await (await server.get('/widgets-stable-1.0.0/')).text(), 'another project');
  });

  it('publishes no hidden version when the settings that hide it are damaged', async (context) => {
    const place = await workplace(context);
    const docs = join(place, 'docs');
    const from = await docatWithTags(place);
    await lectern(['import', 'docat', await writeTree(join(place, 'none'), { 'doc/x': '' }), '-d', docs]);
    await writeTree(docs, { '.lectern/projects/widgets.json': '{' });
    const { code, out } = await lectern(['import', 'docat', from, '-d', docs]);
    assert.equal(code, 1);
    assert.match(out, /^widgets-2\.0\.0: imported$/m);
    assert.match(out, /^widgets-3\.0\.0: not imported: The settings of project 'widgets' cannot be read/m);
    assert.match(out, /^widgets\/stable: not imported: The settings of project 'widgets' cannot be read/m);
    const server = await serve(context, docs);
    assert.equal((await server.get('/widgets-3.0.0/')).status, 404);
    assert.equal(await readFile(join(docs, '.lectern/projects/widgets.json'), 'utf8'), '{');
  });

  it('previews the import, and creates nothing, with --dry-run', async (context) => {
    const place = await workplace(context);
    const from = await docatTree(join(place, 'docat'));
    const before = await tree(place);
    const { out } = await lectern(['import', 'docat', from, '-d', join(place, 'docs'), '--dry-run']);
    assert.match(out, /^widgets-1\.0\.0: would be imported$/m);
    assert.match(out, /^tool-empty: not imported: /m);
    assert.match(out, /^4 would be imported, 3 not imported$/m);
    assert.deepEqual(await tree(place), before);
  });

  it('keeps existing versions, so that it is repeatable', async (context) => {
    const place = await workplace(context);
    const docs = join(place, 'docs');
    const first = await writeTree(join(place, 'one'), { 'doc/a/1.0/index.html': 'first' });
    const second = await writeTree(join(place, 'two'), {
      'doc/a/1.0/index.html': 'second',
      'doc/a/1.1/index.html': 'new',
    });
    assert.equal((await lectern(['import', 'docat', first, '-d', docs])).code, 0);
    const { code, out } = await lectern(['import', 'docat', second, '-d', docs]);
    assert.deepEqual(
      [code, out],
      [0, 'a-1.0: already exists\na-1.1: imported\n1 imported, 1 already exist, 0 not imported\n'],
    );
    const server = await serve(context, docs);
    assert.equal(await (await server.get('/a-1.0/')).text(), 'first');
    assert.equal(await (await server.get('/a-1.1/')).text(), 'new');
  });

  it('imports into the directory of a running server, which shows the versions', async (context) => {
    const place = await workplace(context);
    const docs = join(place, 'docs');
    await mkdir(docs);
    const server = await serve(context, docs);
    const from = await writeTree(join(place, 'docat'), { 'doc/a/1.0/index.html': 'moved in' });
    assert.equal((await lectern(['import', 'docat', from, '-d', docs])).code, 0);
    await until(async () => (await (await server.get('/a-1.0/')).text()) === 'moved in');
  });
});

describe('lectern import directory', () => {
  it("accepts both forms of a tree, each version with its directory's date", async (context) => {
    const place = await workplace(context);
    const from = await writeTree(join(place, 'www'), {
      'widgets-1.0.0/index.html': 'flat',
      'widgets/2.0.0/index.html': 'nested',
      'lib-2/1.0.0/index.html': 'a project that looks like a version',
      'lost+found/x': '',
      'tool-main/index.html': 'a site whose name has no number',
      'index.html': 'the list',
    });
    const then = new Date('2020-02-02T02:02:02Z');
    await utimes(join(from, 'widgets/2.0.0'), then, then);
    const { out } = await lectern(['import', 'directory', from, '-d', join(place, 'docs')]);
    assert.deepEqual(out.trimEnd().split('\n').sort(), [
      '3 imported, 1 not imported',
      'lib-2-1.0.0: imported',
      'tool-main: not imported: names no version; move its files to tool-main/<version>',
      'widgets-1.0.0: imported',
      'widgets-2.0.0: imported',
    ]);
    const server = await serve(context, join(place, 'docs'));
    const { versions } = await server.json('/api/projects/widgets');
    assert.equal(versions[1].published_at, then.toISOString());
  });
});

describe('lectern import', () => {
  for (const layout of ['docat', 'directory']) {
    it(`ends with 1 for a directory without a version in the layout ${layout}`, async (context) => {
      const place = await workplace(context);
      const from = await writeTree(join(place, 'from'), { 'index.html': 'x' });
      for (const more of [['--dry-run'], []]) {
        const { code, out } = await lectern(['import', layout, from, '-d', join(place, 'docs'), ...more]);
        const verb = more.length > 0 ? 'would be imported' : 'imported';
        const why = `no version in the layout ${layout} was found`;
        assert.deepEqual([code, out], [1, `0 ${verb}, 0 not imported: ${why}\n`]);
      }
    });
  }

  it('ends with 0 where every version already exists', async (context) => {
    const place = await workplace(context);
    const from = await writeTree(join(place, 'from'), { 'a/1.0/index.html': 'x' });
    const args = ['import', 'directory', from, '-d', join(place, 'docs')];
    assert.equal((await lectern(args)).code, 0);
    const again = await lectern(args);
    assert.deepEqual(
      [again.code, again.out],
      [0, 'a-1.0: already exists\n0 imported, 1 already exist, 0 not imported\n'],
    );
  });

  for (const [what, args, message] of [
    [
      'an unknown layout',
      ['import', 'sphinx', '.', '-d', 'docs'],
      /unknown layout 'sphinx'; expected one of docat, directory/,
    ],
    [
      'a missing directory',
      ['import', 'docat', 'nowhere', '-d', 'docs', '--dry-run'],
      /^lectern: nowhere: no such file or directory\n$/,
    ],
    ['no docs directory', ['import', 'docat', '.'], /-d <docs> is required/],
  ] as const) {
    it(`ends with 2 for ${what}`, async (context) => {
      const { code, notes } = await lectern(args, { cwd: await workplace(context) });
      assert.equal(code, 2);
      assert.match(notes, message);
    });
  }
});
