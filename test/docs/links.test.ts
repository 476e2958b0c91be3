import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../support/root.js';
import { anchorsOf, type Document, document, documents, linksOf } from './markdown.js';

const isElsewhere = (target: string) => /^[a-z][a-z0-9+.-]*:/i.test(target);

/** Why a link leads nowhere, or undefined when it leads somewhere. */
async function problemOf(from: Document, target: string): Promise<string | undefined> {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from.path : posix.join(posix.dirname(from.path), decodeURIComponent(file));
  const isThere = await stat(join(ROOT, path)).catch(() => undefined);
  if (isThere === undefined || path.startsWith('..')) return `${from.path}: there is no ${path}`;
  if (anchor === undefined) return undefined;
  return anchorsOf(await document(path)).has(anchor)
    ? undefined
    : `${from.path}: ${path} has no heading for #${anchor}`;
}

describe('The documents', () => {
  it('have relative links that lead to files, and anchors that lead to headings', async () => {
    const all = await documents();
    const links = all.flatMap((from) =>
      linksOf(from)
        .filter((target) => !isElsewhere(target))
        .map((target) => ({ from, target })),
    );
    assert.ok(links.length > 30, `only ${links.length} links were found`);
    const problems = await Promise.all(links.map(({ from, target }) => problemOf(from, target)));
    assert.deepEqual(
      problems.filter((problem) => problem !== undefined),
      [],
    );
  });

  it('are all reachable from the README', async () => {
    const all = new Map((await documents()).map((found) => [found.path, found]));
    const reached = new Set(['README.md']);
    for (const path of reached) {
      const from = all.get(path);
      if (from === undefined) continue;
      for (const target of linksOf(from).filter((link) => !isElsewhere(link))) {
        const [file = ''] = target.split('#');
        reached.add(posix.join(posix.dirname(path), file));
      }
    }
    assert.deepEqual(
      [...all.keys()].filter((path) => !reached.has(path)),
      [],
    );
  });
});

describe('The check of the links', () => {
  const from = (text: string): Document => ({ path: 'docs/x.md', text });

  it('detects a missing file, a missing heading and a path outside of the repository', async () => {
    assert.match((await problemOf(from(''), 'nowhere.md')) ?? '', /there is no docs\/nowhere\.md/);
    assert.match((await problemOf(from(''), 'contract.md#nowhere')) ?? '', /no heading for #nowhere/);
    assert.match((await problemOf(from(''), '../../elsewhere')) ?? '', /there is no \.\.\/elsewhere/);
    assert.equal(await problemOf(from(''), '../README.md#run-it'), undefined);
  });

  it('ignores links and headings in code', () => {
    const text = '# A `b` & c\n\n[x](y.md) `[n](n.md)`\n\n```sh\n# no heading\n[n](n.md)\n```\n';
    assert.deepEqual(linksOf(from(text)), ['y.md']);
    assert.deepEqual([...anchorsOf(from(text))], ['a-b--c']);
  });
});

describe('SECURITY.md', () => {
  it('names existing tests for its statements', () => {
    const text = readFileSync(`${ROOT}/SECURITY.md`, 'utf8');
    const named = [...text.matchAll(/`([a-z-]+(?:\/[a-z0-9-]+)+(?:\.test)?\.ts)`/g)].map(
      ([, file = '']) => file,
    );
    assert.ok(named.length > 60);
    for (const file of named) assert.ok(existsSync(`${ROOT}/test/${file}`), file);
  });
});
