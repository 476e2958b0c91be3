import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { GoToPage, SuggestInstead } from '../../src/application/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

const docs = new MemoryDocStore();
const goToPage = new GoToPage(docs);

before(async () => {
  await publish(docs, 'tool-1.0', {
    'index.html': 'root',
    'guide/index.html': 'guide',
    'guide/install.html': 'install',
    'guide/deep/er/page.html': 'deep',
    'ünï code/a b.html': 'names',
    'files/data.json': '{}',
    '.git/config': 'secret',
  });
  await publish(docs, 'tool-2.0', {
    'index.html': 'root',
    'guide/install/index.html': 'install',
    'a.html': 'a',
  });
  await publish(docs, 'bare-1.0', { 'only.txt': 'no front page' });
});

const WAYS: readonly (readonly [directory: string, page: string, to: string, isSame: boolean])[] = [
  ['tool-1.0', '', '/tool-1.0/', true],
  ['tool-1.0', 'guide/install.html', '/tool-1.0/guide/install.html', true],
  ['tool-1.0', 'guide/', '/tool-1.0/guide/', true],
  ['tool-1.0', 'guide', '/tool-1.0/guide/', true],
  ['tool-1.0', 'guide/index.html', '/tool-1.0/guide/index.html', true],
  ['tool-1.0', 'files/data.json', '/tool-1.0/files/data.json', true],
  ['tool-1.0', '%C3%BCn%C3%AF%20code/a%20b.html', '/tool-1.0/%C3%BCn%C3%AF%20code/a%20b.html', true],
  // Builders write addresses differently, and change their minds from one version to the next.
  ['tool-1.0', 'guide/install/', '/tool-1.0/guide/install.html', true],
  ['tool-1.0', 'guide/install', '/tool-1.0/guide/install.html', true],
  ['tool-1.0', 'guide/install/index.html', '/tool-1.0/guide/install.html', true],
  ['tool-2.0', 'guide/install.html', '/tool-2.0/guide/install/', true],
  ['tool-2.0', 'a/', '/tool-2.0/a.html', true],
  // A missing page leads to the nearest directory that has a front page.
  ['tool-1.0', 'guide/new.html', '/tool-1.0/guide/', false],
  ['tool-1.0', 'guide/new/', '/tool-1.0/guide/', false],
  ['tool-1.0', 'guide/deep/er/gone.html', '/tool-1.0/guide/', false],
  ['tool-1.0', 'guide/deep/', '/tool-1.0/guide/', false],
  ['tool-1.0', 'no/such/place.html', '/tool-1.0/', false],
  ['tool-2.0', 'guide/index.html', '/tool-2.0/', false],
  ['bare-1.0', 'a/b.html', '/bare-1.0/', false],
  // The alias stays the alias.
  ['tool-latest', 'a.html', '/tool-latest/a.html', true],
  ['tool-latest', 'x/y', '/tool-latest/', false],
  // An address that cannot be a page leads to the front page, never out of the site.
  ['tool-1.0', '../tool-2.0/a.html', '/tool-1.0/', false],
  ['tool-1.0', '%2e%2e/tool-2.0/a.html', '/tool-1.0/', false],
  ['tool-1.0', '/evil.example/', '/tool-1.0/', false],
  ['tool-1.0', 'a%2Fb', '/tool-1.0/', false],
  ['tool-1.0', '%zz', '/tool-1.0/', false],
  ['tool-1.0', '%00', '/tool-1.0/', false],
  ['tool-1.0', '.git/config', '/tool-1.0/', false],
  ['tool-1.0', 'a/'.repeat(100), '/tool-1.0/', false],
];

describe('Going to a page in a version', () => {
  for (const [directory, page, to, isSame] of WAYS) {
    it(`leads from '${page.slice(0, 40)}' in ${directory} to ${to}`, async () => {
      const whereabouts = await goToPage.execute(seenIn(docs), directory, page);
      assert.equal(whereabouts?.to, to);
      assert.equal(whereabouts?.isSame, isSame);
    });
  }

  it('finds nothing only where the version does not exist', async () => {
    for (const directory of ['tool-9.0', 'nothing-1.0', 'tool', '', '__proto__']) {
      assert.equal(await goToPage.execute(seenIn(docs), directory, 'a.html'), undefined);
    }
  });
});

describe('Suggestions in place of a missing page', () => {
  const suggest = new SuggestInstead(docs, goToPage);

  it('are projects with a close name, read as a project, a version or an alias', async () => {
    for (const path of ['/tol/', '/tol-1.0/guide/', '/tol-latest/', '/tools', '/TOOL-9.9/x']) {
      const { projects } = await suggest.execute(seenIn(docs), { what: 'project' }, path);
      assert.deepEqual(
        projects.map(({ directoryName }) => directoryName),
        ['tool'],
        path,
      );
    }
  });

  it('are the page in the latest version, and the nearest page in the requested version', async () => {
    const catalogue = await docs.catalogue();
    const project = catalogue.project('tool');
    const version = catalogue.version('tool-1.0');
    assert.ok(project && version);
    const found = await suggest.execute(
      seenIn(docs),
      { what: 'page', project, version },
      '/tool-1.0/guide/install/new.html',
    );
    assert.equal(found.nearest?.to, '/tool-1.0/guide/');
    assert.equal(found.inLatest?.to, '/tool-latest/guide/install/');
    const a = await suggest.execute(seenIn(docs), { what: 'version', project }, '/tool-7/a.html');
    assert.equal(a.nearest, undefined);
    assert.deepEqual([a.inLatest?.to, a.inLatest?.isSame], ['/tool-latest/a.html', true]);
  });
});
