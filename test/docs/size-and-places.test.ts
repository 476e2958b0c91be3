import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../support/root.js';
import { codeIn, document, documents, filesBelow, tableOf } from './markdown.js';

/** Five minutes: whoever wonders whether Lectern is for them reads no more. */
const MAX_README_WORDS = 1_100;
const MAX_PERFORMANCE_LINES = 90;

describe('The documents for newcomers', () => {
  it('include a short README.md, with its tables and commands', async () => {
    const words = (await document('README.md')).text.split(/\s+/).filter((word) => /\w/.test(word));
    assert.ok(words.length <= MAX_README_WORDS, `${words.length} words`);
  });

  it('include a short docs/performance.md, with its tables', async () => {
    const { length } = (await document('docs/performance.md')).text.trimEnd().split('\n');
    assert.ok(length <= MAX_PERFORMANCE_LINES, `${length} lines`);
  });
});

const ROOMS = ['domain', 'formats', 'application', 'adapters', 'composition'];

/**
 * Returns the place that a text between backticks names in sources, tests or scripts: a path from the root or from `src`, or a
 * file by the end of its path. Undefined for everything else, such as a directory on disk.
 */
function placeIn(named: string): string | undefined {
  if (!/^[\w./-]+$/.test(named)) return undefined;
  if (/^(src|test|bench|scripts|deploy|docs)\//.test(named)) return named;
  if (ROOMS.includes(named.split('/')[0] ?? '')) return `src/${named}`;
  return /\.[cm]?[jt]sx?$/.test(named) ? named : undefined;
}

const files = (await Promise.all(['src', 'test'].map((room) => filesBelow(room, /./)))).flat();

const INTERNALS = await filesBelow('docs/internals', /\.md$/);

for (const path of ['docs/architecture.md', 'CONTRIBUTING.md', ...INTERNALS]) {
  describe(path, () => {
    it('names existing files and folders', async () => {
      const { text } = await document(path);
      const places = codeIn(text.replace(/^```[\s\S]*?^```$/gm, '')).flatMap((named) => placeIn(named) ?? []);
      assert.ok(places.length > 10, `only ${places.length} places were found`);
      const exists = (place: string) =>
        existsSync(join(ROOT, place)) || files.some((file) => file.endsWith(`/${place}`));
      assert.deepEqual(
        places.filter((place) => !exists(place)),
        [],
      );
    });
  });
}

describe('The table of rooms in docs/architecture.md', () => {
  it('has a row for each folder of adapters', async () => {
    const { text } = await document('docs/architecture.md');
    const adapters = new Set((await filesBelow('src/adapters', /./)).map((file) => file.split('/')[2] ?? ''));
    assert.deepEqual(
      [...adapters].filter((adapter) => !text.includes(`| \`adapters/${adapter}\` |`)),
      [],
    );
  });
});

describe('The table in docs/internals/deletions.md', () => {
  it('names deciding functions, each called by a test of its row', async () => {
    const page = await document('docs/internals/deletions.md');
    let named = 0;
    for (const cells of tableOf(page, 'Place and belief', 'Bound', 'Test')) {
      const tests = codeIn(cells.at(-1) ?? '').flatMap((test) =>
        files.filter((file) => file.startsWith('test/') && file.endsWith(`/${test}`)),
      );
      const texts = (await Promise.all(tests.map(document))).map(({ text }) => text);
      for (const decision of codeIn(cells.slice(0, -1).join()).filter((code) =>
        /^[a-z]+[A-Z]\w+$/.test(code),
      )) {
        named += 1;
        assert.ok(
          texts.some((text) => text.includes(`${decision}(`)),
          `${decision}: ${cells.at(-1)}`,
        );
      }
    }
    assert.ok(named > 10, `only ${named}`);
  });
});

for (const [adapter, path] of [
  ['http', 'docs/internals/requests.md'],
  ['object-store', 'docs/internals/storage.md'],
] as const) {
  describe(`The table of folders of adapters/${adapter} in ${path}`, () => {
    it('has a row for each folder', async () => {
      const { text } = await document(path);
      const below = (await filesBelow(`src/adapters/${adapter}`, /./)).map((file) =>
        file.split('/').slice(3),
      );
      const folders = new Set(below.flatMap(([folder, file]) => (file === undefined ? [] : [folder])));
      assert.ok(folders.size > 2, `only ${folders.size} folders`);
      assert.deepEqual(
        [...folders].filter((folder) => !text.includes(`| \`adapters/${adapter}/${folder}\` |`)),
        [],
      );
    });
  });
}

describe('The list of decisions', () => {
  it('has each decision', async () => {
    const { text } = await document('docs/adr/0001-record-decisions.md');
    const others = (await documents())
      .map(({ path }) => path)
      .filter((path) => /^docs\/adr\/0(?!001)/.test(path));
    assert.ok(others.length >= 10);
    assert.deepEqual(
      others.filter((path) => !text.includes(`](${path.slice('docs/adr/'.length)})`)),
      [],
    );
  });
});
