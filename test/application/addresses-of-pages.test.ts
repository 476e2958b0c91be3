import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { FindPage, GoToPage, ReadPage, SuggestInstead } from '../../src/application/index.js';
import type { Version } from '../../src/domain/index.js';
import { publish, textOf } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

/** Counts how often files are opened and listed. */
class CountingStore extends MemoryDocStore {
  opens = 0;
  lists = 0;

  override async open(...asked: Parameters<MemoryDocStore['open']>) {
    this.opens += 1;
    return super.open(...asked);
  }

  override async listFiles(version: Version, max: number, withSizes?: boolean) {
    this.lists += 1;
    return super.listFiles(version, max, withSizes);
  }
}

/** Returns the text of a page, `<status> <address>` of a redirect, or the part that is missing. */
async function answerTo(docs: MemoryDocStore, path: string): Promise<string> {
  const answer = await new ReadPage(docs).execute(seenIn(docs), path);
  switch (answer.kind) {
    case 'page':
      return textOf(answer.file);
    case 'redirect':
      return `${answer.status} ${answer.to}`;
    case 'other-root':
      return `302 ${answer.to.path}`;
    case 'missing':
      return `no ${answer.missing.what}`;
    default:
      return answer.kind;
  }
}

describe('A page beside a directory of its name', () => {
  const docs = new MemoryDocStore();
  before(async () => {
    await publish(docs, 'tool-1.0', {
      'index.html': 'root',
      'guide.html': 'guide',
      'guide/step.html': 'step',
      'both.html': 'a file',
      'both/index.html': 'a directory',
      'a/Über uns.html': 'about',
      'a/Über uns/team.html': 'team',
      'old.htm': 'htm',
      'old/step.html': 'step',
      'node.js.html': 'node',
      'node.js/events.html': 'events',
      'bare/step.html': 'step',
      'index/step.html': 'step',
      _redirects: '/guide/ /both/\n/guide /both/',
    });
  });

  const ANSWERS: readonly (readonly [path: string, answer: string])[] = [
    ['guide', 'guide'],
    ['guide.html', 'guide'],
    ['guide/', '302 /tool-1.0/guide.html'],
    ['guide/step', 'step'],
    ['a/%C3%9Cber%20uns', 'about'],
    ['node.js', 'node'],
    ['both', '308 /tool-1.0/both/'],
    ['both/', 'a directory'],
    ['both.html', 'a file'],
    ['bare', '308 /tool-1.0/bare/'],
    ['bare/', 'no page'],
    ['old', '308 /tool-1.0/old/'],
    ['index', 'root'],
  ];
  for (const [path, answer] of ANSWERS) {
    it(`answers '${path}' with '${answer}'`, async () =>
      assert.equal(await answerTo(docs, `/tool-1.0/${path}`), answer));
  }
});

describe('The short address of a project', () => {
  const docs = new MemoryDocStore();
  before(async () => {
    await publish(docs, 'tool-1.0', { 'index.html': 'old' });
    await publish(docs, 'tool-2.0', { 'index.html': 'new', 'objects.inv': 'inventory' });
    await publish(docs, 'tool-kit-1.0', { 'index.html': 'kit' });
    await publish(docs, 'sketch-1.0-rc.1', { 'index.html': 'pre' });
  });

  const ANSWERS: readonly (readonly [path: string, answer: string])[] = [
    ['/tool', '302 /tool-latest/'],
    ['/tool/', '302 /tool-latest/'],
    ['/tool/objects.inv', '302 /tool-latest/objects.inv'],
    ['/tool/guide/', '302 /tool-latest/guide/'],
    ['/tool/a%20b/%C3%BC%3F%23.html', '302 /tool-latest/a%20b/%C3%BC%3F%23.html'],
    ['/tool/%65vil', '302 /tool-latest/evil'],
    ['/tool/llms.txt', '302 /tool-latest/llms.txt'],
    ['/tool/guide.md', '302 /tool-latest/guide.md'],
    ['/tool/nothing', '302 /tool-latest/nothing'],
    ['/tool/.well-known/security.txt', '302 /tool-latest/.well-known/security.txt'],
    ['/tool-kit/x', '302 /tool-kit-latest/x'],
    ['/sketch/x', '302 /sketch-latest/x'],
    // Versions and aliases have addresses of their own.
    ['/tool-1.0/nothing', 'no page'],
    ['/tool-latest/nothing', 'no page'],
    ['/tool-9.0/x', 'no version'],
    ['/nothing/x', 'no project'],
    // Addresses that no page can have.
    ['/tool//', 'no version'],
    ['/tool//evil.example', 'no version'],
    ['/tool///evil.example/', 'no version'],
    ['/tool/%2Fevil.example', 'no version'],
    ['/tool/%2f%2fevil.example/', 'no version'],
    ['/tool/a//b', 'no version'],
    ['/tool/a//', 'no version'],
    ['/tool/.', 'no version'],
    ['/tool/../x', 'no version'],
    ['/tool/%2e%2e/x', 'no version'],
    ['/tool/a/%2E%2E/', 'no version'],
    ['/tool/..%2fx', 'no version'],
    ['/tool/\\evil.example', 'no version'],
    ['/tool/%5Cevil.example', 'no version'],
    ['/tool/%0d%0aSet-Cookie:a=b', 'no version'],
    ['/tool/%00', 'no version'],
    ['/tool/%zz', 'no version'],
    ['/tool/.git/config', 'no version'],
  ];
  for (const [path, answer] of ANSWERS) {
    it(`answers '${path}' with '${answer}'`, async () => assert.equal(await answerTo(docs, path), answer));
  }
});

const NFC = 'f\u00fcr';
const NFD = 'fu\u0308r';
const [COMPOSED, DECOMPOSED] = [encodeURIComponent(NFC), encodeURIComponent(NFD)];

describe('A name in another Unicode composition', () => {
  const docs = new CountingStore();
  before(async () => {
    await publish(docs, 'tool-1.0', {
      'index.html': 'root',
      [`${NFD}.html`]: 'decomposed',
      [`${NFD}.png`]: 'image',
      [`c/${NFC}.html`]: 'composed',
      [`both/${NFC}.html`]: 'composed',
      [`both/${NFD}.html`]: 'decomposed',
      [`dir/${NFD}/index.html`]: 'front page',
      [`dir/${NFD}/page.html`]: 'below',
      [`mixed/${NFD}/${NFC}.html`]: 'mixed',
      [`twice/${NFD}/${NFC}.html`]: 'one',
      [`twice/${NFC}/${NFD}.html`]: 'another',
      'cjk/\uf900.html': 'compatibility ideograph',
      'plain.html': 'plain',
      'big.pdf': 'big',
      [`${NFD}.pdf`]: 'big',
    });
    await publish(docs, 'spa-1.0', {
      'index.html': 'app',
      [`${NFD}.html`]: 'decomposed',
      _redirects: '/* /index.html 200',
    });
  });

  const ANSWERS: readonly (readonly [path: string, answer: string])[] = [
    [`${COMPOSED}.html`, `302 /tool-1.0/${DECOMPOSED}.html`],
    [`${DECOMPOSED}.html`, 'decomposed'],
    [COMPOSED, `302 /tool-1.0/${DECOMPOSED}.html`],
    [`${COMPOSED}/`, `302 /tool-1.0/${DECOMPOSED}.html`],
    [`${COMPOSED}.png`, `302 /tool-1.0/${DECOMPOSED}.png`],
    [`${COMPOSED}.html.md`, `302 /tool-1.0/${DECOMPOSED}.html.md`],
    [`both/${COMPOSED}.html.md`, 'markdown'],
    [`both/${DECOMPOSED}.md`, 'markdown'],
    [`c/${DECOMPOSED}.html`, `302 /tool-1.0/c/${COMPOSED}.html`],
    // Both are there: each has its own page.
    [`both/${COMPOSED}.html`, 'composed'],
    [`both/${DECOMPOSED}.html`, 'decomposed'],
    [`both/${COMPOSED}`, 'composed'],
    [`both/${DECOMPOSED}/`, `302 /tool-1.0/both/${DECOMPOSED}.html`],
    [`dir/${COMPOSED}/`, `302 /tool-1.0/dir/${DECOMPOSED}/`],
    [`dir/${COMPOSED}`, `302 /tool-1.0/dir/${DECOMPOSED}/`],
    [`dir/${COMPOSED}/page.html`, `302 /tool-1.0/dir/${DECOMPOSED}/page.html`],
    // Neither all composed nor all decomposed.
    [`mixed/${COMPOSED}/${COMPOSED}.html`, `302 /tool-1.0/mixed/${DECOMPOSED}/${COMPOSED}.html`],
    [`mixed/${COMPOSED}/${DECOMPOSED}`, `302 /tool-1.0/mixed/${DECOMPOSED}/${COMPOSED}.html`],
    [`twice/${COMPOSED}/${COMPOSED}.html`, 'no page'],
    ['cjk/%E8%B1%88.html', '302 /tool-1.0/cjk/%EF%A4%80.html'],
    ['nothing/%C3%BC.html', 'no page'],
    // A slash behind a file is no address of it.
    ['big.pdf/', 'no page'],
    [`${COMPOSED}.pdf/`, 'no page'],
  ];
  for (const [path, answer] of ANSWERS) {
    it(`answers '${path}' with '${answer}'`, async () =>
      assert.equal(await answerTo(docs, `/tool-1.0/${path}`), answer));
  }

  it('takes precedence over redirects, as an existing file does', async () => {
    assert.equal(await answerTo(docs, `/spa-1.0/${COMPOSED}.html`), `302 /spa-1.0/${DECOMPOSED}.html`);
    assert.equal(await answerTo(docs, '/spa-1.0/%C3%A9'), 'app');
  });

  it('is looked up only for paths with non-ASCII characters, and in the file list last', async () => {
    const asked = async (path: string) => {
      [docs.opens, docs.lists] = [0, 0];
      await read.execute(seenIn(docs), path);
      return [docs.opens, docs.lists];
    };
    const read = new ReadPage(docs);
    const [plain = 0, lists] = await asked('/tool-1.0/nothing/here.html');
    assert.equal(lists, 0);
    assert.deepEqual((await asked(`/tool-1.0/${COMPOSED}.html`))[1], 0);
    const [first = 0, made] = await asked('/tool-1.0/nothing/%C3%BC.html');
    assert.equal(made, 1);
    assert.ok(first <= 2 * plain, `${first} files opened, and ${plain} for a name of ASCII`);
    assert.equal((await asked('/tool-1.0/nothing/%C3%A9.html'))[1], 0, 'the list is kept');
  });

  it('lists the files of at most two versions at a time', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let lists = 0;
    let begun = () => {};
    const bothBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = {
      open: docs.open.bind(docs),
      listFiles: async (...asked: Parameters<typeof docs.listFiles>) => {
        lists += 1;
        if (lists === 2) begun();
        await gate;
        return docs.listFiles(...asked);
      },
    };
    for (const label of ['1', '2', '3']) await publish(docs, `many-${label}`, { 'index.html': 'x' });
    const read = new ReadPage(slow, new FindPage(slow));
    const ask = (label: string) => read.execute(seenIn(docs), `/many-${label}/%C3%BC.html`);
    const two = [ask('1'), ask('2')];
    await bothBegun;
    assert.equal((await ask('3')).kind, 'missing');
    assert.equal(lists, 2);
    open();
    for (const each of await Promise.all(two)) assert.equal(each.kind, 'missing');
  });
});

describe('The file with nearly the requested name', () => {
  const docs = new MemoryDocStore();
  const goToPage = new GoToPage(docs);
  const suggest = new SuggestInstead(docs, goToPage, () => ({ isOver: false }));
  before(async () => {
    await publish(docs, 'tool-1.0', {
      'index.html': 'root',
      [`${NFD}.html`]: 'decomposed',
      [`${NFD}.png`]: 'image',
      [`mixed/${NFD}/${NFC}.html`]: 'mixed',
      [`mixed/${NFD}/${NFC}.png`]: 'mixed',
      [`twice/${NFD}/${NFC}.html`]: 'one',
      [`twice/${NFC}/${NFD}.html`]: 'another',
      'big.pdf': 'big',
      [`${NFD}.pdf`]: 'big',
      noextension: 'x',
      '.git/config': 'secret',
    });
  });

  const WAYS: readonly (readonly [path: string, file: string])[] = [
    [`${COMPOSED}.html`, `${DECOMPOSED}.html`],
    [`${COMPOSED}/`, `${DECOMPOSED}.html`],
    [`${COMPOSED}.png`, `${DECOMPOSED}.png`],
    [`mixed/${COMPOSED}/${COMPOSED}.html`, `mixed/${DECOMPOSED}/${COMPOSED}.html`],
    [`mixed/${COMPOSED}/${COMPOSED}.png`, `mixed/${DECOMPOSED}/${COMPOSED}.png`],
    [`mixed/${COMPOSED}/${COMPOSED}.png/`, `mixed/${DECOMPOSED}/${COMPOSED}.png`],
    ['big.pdf/', 'big.pdf'],
    [`${COMPOSED}.pdf/`, `${DECOMPOSED}.pdf`],
    ['noextension/', 'noextension'],
  ];
  for (const [path, file] of WAYS) {
    it(`leads from '${path}' to '${file}', and suggests it first`, async () => {
      const found = await goToPage.execute(seenIn(docs), 'tool-1.0', path);
      assert.deepEqual([found?.to, found?.isSame], [`/tool-1.0/${file}`, true]);
      assert.equal((await closestTo(path))[0], `/tool-1.0/${file}`);
    });
  }

  it('is suggested once, and not as a page of a latest version that lacks the page', async () => {
    const { closest, inLatest } = await suggestFor('big.pdf/');
    assert.deepEqual([closest.map(({ to }) => to), inLatest], [['/tool-1.0/big.pdf'], undefined]);
  });

  it('suggests each of several files that differ by composition', async () => {
    assert.deepEqual((await closestTo(`twice/${COMPOSED}/${COMPOSED}.html`)).slice(0, 2).sort(), [
      `/tool-1.0/twice/${COMPOSED}/${DECOMPOSED}.html`,
      `/tool-1.0/twice/${DECOMPOSED}/${COMPOSED}.html`,
    ]);
  });

  it('suggests a page with a typo in a name of another composition', async () => {
    assert.deepEqual(await closestTo(`${COMPOSED}x.html`), [`/tool-1.0/${DECOMPOSED}.html`]);
    assert.equal((await closestTo('F%C3%9CR.html'))[0], `/tool-1.0/${DECOMPOSED}.html`);
  });

  it('suggests neither a hidden file nor a path with a slash after a missing file', async () => {
    for (const path of ['.git/config/', 'nothing.pdf/']) {
      assert.deepEqual(await closestTo(path), []);
      assert.equal((await goToPage.execute(seenIn(docs), 'tool-1.0', path))?.to, '/tool-1.0/');
    }
  });

  function suggestFor(path: string) {
    const { project, version } = docs.catalogue().locate('tool-1.0') ?? assert.fail();
    return suggest.execute(seenIn(docs), { what: 'page', project, version }, `/tool-1.0/${path}`);
  }

  async function closestTo(path: string): Promise<readonly string[]> {
    return (await suggestFor(path)).closest.map(({ to }) => to);
  }
});
