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
  it('copies every version in, and says of everything else why not', async (context) => {
    const place = await workplace(context);
    const from = await docatTree(join(place, 'docat'));
    const before = await tree(from);
    const { code, out, notes } = await lectern(['import', 'docat', from, '-d', join(place, 'docs')]);
    assert.equal(code, 1, notes);
    assert.deepEqual(out.trimEnd().split('\n').sort(), [
      '4 taken, 3 not taken',
      "a/b-1.0: not taken: together they would be read back as version '1.0' of 'a-b'; use b_1.0",
      `tool-empty: not taken: ${join(from, 'doc/tool/empty')} holds no files`,
      'tool-main: taken',
      'widgets-1.0.0: taken',
      'widgets-2.0.0: taken',
      'widgets-3.0.0: taken: hidden',
      "widgets/latest: note: is a tag for 2.0.0, which is what Lectern's 'latest' is, too",
      "widgets/logo: note: is the project's logo; name one in the docinfo of a site",
      "with space/1.0: not taken: a project may not contain ' '; use with-space",
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

  it('takes tags as aliases, a latest of its own as a pin, and hidden versions as hidden', async (context) => {
    const place = await workplace(context);
    const from = await docatWithTags(place);
    const reported = (taken: string) => [
      "tool/latest: note: is a tag for main, which is what Lectern's 'latest' is, too",
      `tool-main: ${taken}`,
      `widgets-1.0.0: ${taken}`,
      `widgets-2.0.0: ${taken}`,
      `widgets-3.0.0: ${taken}: hidden`,
      'widgets/around: not taken: is a tag for around, which is not taken',
      'widgets/gone: not taken: is a tag for 0.9, which is not taken',
      `widgets/latest: ${taken}: latest is pinned to 1.0.0`,
      `widgets/lts: ${taken}: an alias of 2.0.0`,
      `widgets/stable: ${taken}: an alias of 2.0.0`,
      "widgets/to do: not taken: Invalid settings for project 'widgets': 'to do' is no name for an alias; name it like a version",
      `7 ${taken}, 3 not taken`,
    ];
    const before = await tree(place);
    const dry = await lectern(['import', 'docat', from, '-d', join(place, 'docs'), '--dry-run']);
    assert.deepEqual([dry.code, dry.out.trimEnd().split('\n')], [1, reported('would be taken')]);
    assert.deepEqual(await tree(place), before);

    const { code, out } = await lectern(['import', 'docat', from, '-d', join(place, 'docs')]);
    assert.deepEqual([code, out.trimEnd().split('\n')], [1, reported('taken')]);
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

  it('changes no alias, pin or visibility that is there, and says what differs', async (context) => {
    const place = await workplace(context);
    const docs = join(place, 'docs');
    const from = await docatWithTags(place);
    await lectern(['import', 'docat', from, '-d', docs]);
    const again = await lectern(['import', 'docat', from, '-d', docs]);
    assert.equal(again.code, 1);
    for (const name of ['widgets-3.0.0', 'widgets/latest', 'widgets/lts', 'widgets/stable']) {
      assert.ok(again.out.includes(`\n${name}: already there\n`), again.out);
    }
    await changeByHand(docs, { aliases: { latest: '2.0.0', stable: '1.0.0' } });
    const { code, out } = await lectern(['import', 'docat', from, '-d', docs, '--dry-run']);
    assert.equal(code, 1);
    assert.match(
      out,
      /^widgets-3\.0\.0: already there: it is hidden there, but not here; lectern hide widgets 3\.0\.0 hides it$/m,
    );
    assert.match(
      out,
      /^widgets\/latest: not taken: latest is pinned to 2\.0\.0 here, and left alone; lectern pin widgets 1\.0\.0 changes that$/m,
    );
    assert.match(
      out,
      /^widgets\/stable: not taken: is an alias of 1\.0\.0 here, and left alone; lectern alias widgets stable 2\.0\.0 changes that$/m,
    );
    assert.match(out, /^widgets\/lts: would be taken: an alias of 2\.0\.0$/m);
    await lectern(['import', 'docat', from, '-d', docs]);
    const server = await serve(context, docs);
    const { settings } = await server.json('/api/projects/widgets');
    assert.deepEqual(settings, { aliases: { latest: '2.0.0', lts: '2.0.0', stable: '1.0.0' } });
  });

  it('takes no alias whose address a project has', async (context) => {
    const place = await workplace(context);
    const from = await writeTree(join(place, 'docat'), {
      'doc/widgets/1.0.0/index.html': 'one',
      'doc/widgets-stable/1.0.0/index.html': 'another project',
    });
    await symlink('1.0.0', join(from, 'doc/widgets/stable'));
    const { code, out } = await lectern(['import', 'docat', from, '-d', join(place, 'docs')]);
    assert.equal(code, 1);
    assert.match(out, /^widgets\/stable: not taken: .*project 'widgets-stable'/m);
    const server = await serve(context, join(place, 'docs'));
    assert.equal((await server.json('/api/projects/widgets')).settings.aliases, undefined);
    assert.equal(await (await server.get('/widgets-stable-1.0.0/')).text(), 'another project');
  });

  it('does not publish a hidden version when the settings that hide it are damaged', async (context) => {
    const place = await workplace(context);
    const docs = join(place, 'docs');
    const from = await docatWithTags(place);
    await lectern(['import', 'docat', await writeTree(join(place, 'none'), { 'doc/x': '' }), '-d', docs]);
    await writeTree(docs, { '.lectern/projects/widgets.json': '{' });
    const { code, out } = await lectern(['import', 'docat', from, '-d', docs]);
    assert.equal(code, 1);
    assert.match(out, /^widgets-2\.0\.0: taken$/m);
    assert.match(out, /^widgets-3\.0\.0: not taken: The settings of project 'widgets' cannot be read/m);
    assert.match(out, /^widgets\/stable: not taken: The settings of project 'widgets' cannot be read/m);
    const server = await serve(context, docs);
    assert.equal((await server.get('/widgets-3.0.0/')).status, 404);
    assert.equal(await readFile(join(docs, '.lectern/projects/widgets.json'), 'utf8'), '{');
  });

  it('tells what it would take, and makes nothing, with --dry-run', async (context) => {
    const place = await workplace(context);
    const from = await docatTree(join(place, 'docat'));
    const before = await tree(place);
    const { out } = await lectern(['import', 'docat', from, '-d', join(place, 'docs'), '--dry-run']);
    assert.match(out, /^widgets-1\.0\.0: would be taken$/m);
    assert.match(out, /^tool-empty: not taken: /m);
    assert.match(out, /^4 would be taken, 3 not taken$/m);
    assert.deepEqual(await tree(place), before);
  });

  it('leaves what is there alone, so that it can be run again', async (context) => {
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
      [0, 'a-1.0: already there\na-1.1: taken\n1 taken, 1 already there, 0 not taken\n'],
    );
    const server = await serve(context, docs);
    assert.equal(await (await server.get('/a-1.0/')).text(), 'first');
    assert.equal(await (await server.get('/a-1.1/')).text(), 'new');
  });

  it('into the directory of a running server is seen by it', async (context) => {
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
  it('takes both forms of a tree, each version with the date of its directory', async (context) => {
    const place = await workplace(context);
    const from = await writeTree(join(place, 'www'), {
      'widgets-1.0.0/index.html': 'flat',
      'widgets/2.0.0/index.html': 'nested',
      'lib-2/1.0.0/index.html': 'a project that looks like a version',
      'lost+found/x': '',
      'index.html': 'the list',
    });
    const then = new Date('2020-02-02T02:02:02Z');
    await utimes(join(from, 'widgets/2.0.0'), then, then);
    const { out } = await lectern(['import', 'directory', from, '-d', join(place, 'docs')]);
    assert.deepEqual(out.trimEnd().split('\n').sort(), [
      '3 taken, 0 not taken',
      'lib-2-1.0.0: taken',
      'widgets-1.0.0: taken',
      'widgets-2.0.0: taken',
    ]);
    const server = await serve(context, join(place, 'docs'));
    const { versions } = await server.json('/api/projects/widgets');
    assert.equal(versions[1].published_at, then.toISOString());
  });
});

describe('lectern import', () => {
  for (const layout of ['docat', 'directory']) {
    it(`ends with 1 for a directory that has no version in the layout ${layout}`, async (context) => {
      const place = await workplace(context);
      const from = await writeTree(join(place, 'from'), { 'index.html': 'x' });
      for (const more of [['--dry-run'], []]) {
        const { code, out } = await lectern(['import', layout, from, '-d', join(place, 'docs'), ...more]);
        const verb = more.length > 0 ? 'would be taken' : 'taken';
        const why = `there is no version in the layout ${layout}`;
        assert.deepEqual([code, out], [1, `0 ${verb}, 0 not taken: ${why}\n`]);
      }
    });
  }

  it('ends with 0 where all is there already', async (context) => {
    const place = await workplace(context);
    const from = await writeTree(join(place, 'from'), { 'a/1.0/index.html': 'x' });
    const args = ['import', 'directory', from, '-d', join(place, 'docs')];
    assert.equal((await lectern(args)).code, 0);
    const again = await lectern(args);
    assert.deepEqual(
      [again.code, again.out],
      [0, 'a-1.0: already there\n0 taken, 1 already there, 0 not taken\n'],
    );
  });

  for (const [what, args, message] of [
    [
      'an unknown layout',
      ['import', 'sphinx', '.', '-d', 'docs'],
      /unknown layout 'sphinx'; there are docat, directory/,
    ],
    [
      'a directory that is not there',
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
