import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keys } from '../../src/adapters/object-store/keys.js';
import { codeIn, document, filesBelow, tableOf } from './markdown.js';

const page = await document('docs/object-store.md');

/** The sources below a folder, as one text. */
async function sourcesOf(folder: string): Promise<string> {
  const files = await Promise.all((await filesBelow(folder, /\.ts$/)).map(document));
  return files.map(({ text }) => text).join('\n');
}

describe('docs/object-store.md', () => {
  it('names the keys of all objects', () => {
    const rows = tableOf(page, 'Key', 'Content', 'Removed').map(([key = '']) => codeIn(key)[0] ?? '');
    const made = [
      keys.archive('r'),
      keys.index('r'),
      keys.commit(1),
      keys.head,
      keys.snapshot(1),
      keys.derived('r', 'd'),
      'proof/x',
    ];
    const kindOf = (key: string) => key.split('/')[0];
    assert.deepEqual(rows.map(kindOf).sort(), made.map(kindOf).sort());
  });

  it('quotes refusals as in the sources', async () => {
    const sources = await sourcesOf('src/adapters/object-store');
    const quoted = tableOf(page, 'The line says', 'Do this').flatMap(([line = '']) => codeIn(line));
    assert.ok(quoted.length > 10);
    for (const sentence of quoted) {
      // Numbers and codes are put in when it happens.
      const fixed = sentence.replace(/ \d\d? of.*| 40[34] .*|: E\w+$/, '');
      assert.ok(sources.includes(fixed), fixed);
    }
  });

  it('lists every metric of a store', async () => {
    const sources = await sourcesOf('src/adapters/prometheus');
    const names = new Set(sources.match(/\blectern_(?:store|archive_cache)_\w+/g));
    const rows = tableOf(page, 'Metric', 'Meaning').flatMap(([cell = '']) => codeIn(cell));
    const shown = rows.map((name) => name.replace('…', 'lectern_archive_cache'));
    assert.deepEqual(shown.sort(), [...names].sort());
  });
});
