import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareLabels, parseArchiveName, Refusal } from '../../src/domain/index.js';
import { STATUS_OF } from '../../src/formats/index.js';
import { codeIn, document, fencesOf, filesBelow, headingsOf, tableOf } from './markdown.js';

const contract = await document('docs/contract.md');

describe('The contract', () => {
  it('parses each file name as its table says', () => {
    const rows = tableOf(contract, 'File name', 'Project', 'Version');
    assert.ok(rows.length >= 10);
    for (const [names = '', project = '', version = ''] of rows) {
      for (const name of codeIn(names)) {
        if (project === 'refused') {
          assert.throws(
            () => parseArchiveName(name),
            (error) => error instanceof Refusal && error.code === 'invalid_filename',
            name,
          );
        } else {
          const read = parseArchiveName(name);
          assert.deepEqual([read.project, read.label], [...codeIn(project), ...codeIn(version)], name);
        }
      }
    }
  });

  it('orders versions as its list says', () => {
    const list = fencesOf(contract).find(({ language }) => language === 'text')?.code ?? '';
    const labels = list.split('<').map((label) => label.trim());
    assert.ok(labels.length >= 19);
    assert.deepEqual(labels.toReversed().sort(compareLabels), labels);
  });

  it('lists every error code of the server, with its status, and no other', () => {
    const rows = tableOf(contract, 'Status', 'Error', 'When');
    const listed = rows.flatMap(([status, errors = '']) =>
      codeIn(errors).map((error) => [error, Number(status)]),
    );
    assert.deepEqual(Object.fromEntries(listed), STATUS_OF);
  });
});

const titles = headingsOf(contract).map(({ title }) => title);
const sections = {
  contract: titles.flatMap((title) => /^(\d+)\. /.exec(title)?.[1] ?? []),
  interface: titles.flatMap((title) => /^Interface (\d+(?:\.\d+)?)\.? /.exec(title)?.[1] ?? []),
};

/** Text without the breaks and marks of comments, so that `contract\n * section 2` is found as well. */
const flat = (text: string) => text.replace(/\s*\n\s*(?:\*|\/\/|#)?\s*/g, ' ');

describe('The sections of the contract', () => {
  it('are numbered without a gap', () => {
    assert.deepEqual(sections.contract, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']);
    assert.deepEqual(
      sections.interface.filter((number) => !number.includes('.')),
      ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    );
  });

  it('exist for every comment that names one', async () => {
    const paths = (
      await Promise.all(
        ['src', 'test', 'bench', 'scripts', 'docs'].map((room) => filesBelow(room, /\.([cm]?[jt]sx?|md)$/)),
      )
    ).flat();
    let found = 0;
    const wrong: string[] = [];
    for (const path of paths) {
      const { text } = await document(path);
      // Most files do not have the word, and need not be made flat.
      if (!/\bsection\b/.test(text)) continue;
      for (const [whole, which = '', number = ''] of flat(text).matchAll(
        /\b(contract|interface) section (\d+(?:\.\d+)?)/g,
      )) {
        found += 1;
        if (!sections[which as keyof typeof sections].includes(number)) wrong.push(`${path}: ${whole}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(found > 20, `only ${found} were found`);
  });
});

describe('Comments in the sources', () => {
  it('name documents and test suites that exist', async () => {
    const paths = new Set([...(await filesBelow('docs', /\.md$/)), ...(await filesBelow('test', /\.tsx?$/))]);
    const wrong: string[] = [];
    for (const path of await filesBelow('src', /\.tsx?$/)) {
      const { text } = await document(path);
      for (const [named] of text.matchAll(/(?<![\w-])(?:docs\/[\w/-]+\.md|test\/[\w/-]+\.tsx?)\b/g)) {
        if (!paths.has(named)) wrong.push(`${path} names ${named}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});
