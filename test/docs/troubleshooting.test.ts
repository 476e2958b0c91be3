import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATUS_OF } from '../../src/formats/index.js';
import { codeIn, document, filesBelow, tableOf } from './markdown.js';

const { text } = await document('docs/troubleshooting.md');
const lines = text.replace(/^```[\s\S]*?^```$/gm, '').split('\n');
const quoted = lines.flatMap(codeIn);

/** Messages of an entry: sentences and parts of them, with `…` for names and numbers; commands and options are none. */
const messages = lines
  .filter((line) => /^(- |\| | {2})/.test(line))
  .flatMap(codeIn)
  .filter((code) => /^(?!lectern |curl |cd |cp |df |zip |sha256sum)[A-Za-z…](.* ){2}/.test(code));

/** Sources as one text, in which a message that is written over several lines is whole. */
async function sources(): Promise<string> {
  const paths = await filesBelow('src', /\.tsx?$/);
  const texts = await Promise.all(paths.map(async (path) => (await document(path)).text));
  return texts.join('\n').replace(/['`]\s*\+\s*['`]/g, '');
}

/** Reasons of `invalid_archive`, as the texts in the sources that refuse archives. */
async function archiveFaults(): Promise<readonly string[]> {
  const paths = await filesBelow('src/adapters/zip/reading', /\.ts$/);
  const files = [...paths, 'src/adapters/zip/jobs/content.ts', 'src/domain/site-path.ts'];
  const texts = await Promise.all(files.map(async (path) => (await document(path)).text));
  const literals = texts
    .join('\n')
    .matchAll(/(['"`])((?:is|has|holds|does|ends|lies|overlaps|reaches|its?) (?:(?!\1).)+)\1/g);
  return [...literals].map(([, , reason = '']) => reason);
}

describe('docs/troubleshooting.md', () => {
  it('has each error code of the server with its status, and no other', () => {
    const named = quoted.filter((code) => /^\d{3} [a-z_]+$/.test(code));
    const known = Object.entries(STATUS_OF).map(([code, status]) => `${status} ${code}`);
    assert.deepEqual([...new Set(named)].sort(), known.sort());
  });

  it('says of each reason for which an archive is refused what to do', async () => {
    const parts = tableOf({ path: 'docs/troubleshooting.md', text }, 'Reason with', 'Do').flatMap(
      ([reasons = '']) => codeIn(reasons),
    );
    const reasons = await archiveFaults();
    assert.ok(reasons.length > 45, `only ${reasons.length} reasons were found`);
    assert.deepEqual(
      reasons.filter((reason) => !parts.some((part) => reason.includes(part))),
      [],
    );
  });

  it('quotes messages as the sources have them', async () => {
    assert.ok(messages.length > 30, `only ${messages.length} messages were found`);
    const all = await sources();
    const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()));
    assert.deepEqual(
      parts.filter((part) => !all.includes(part)),
      [],
    );
  });
});
