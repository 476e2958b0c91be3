import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Project } from '../../src/domain/index.js';
import { attributes, makeVersion, pages, words } from './samples.js';

const version = makeVersion('tool', '1.0');
const project = new Project('tool', [version]);
const listing = (files: readonly string[], more = false, hasSwitcher = false) =>
  pages.listing({ project, version, files, sizes: files.map(() => 2048), more, hasSwitcher });
const linked = (html: string) => attributes(html, 'href').filter((to) => !/^[/#]/.test(to));

describe('The list of files of a site without a front page', () => {
  it('links each file relatively, percent-encoded component by component', () => {
    const files = ['a b#c?.html', 'dir/50%.txt', 'ünï/"q".html', "it's.html"];
    assert.deepEqual(linked(listing(files)), [
      'a%20b%23c%3F.html',
      'dir/50%25.txt',
      '%C3%BCn%C3%AF/%22q%22.html',
      "it's.html",
    ]);
  });

  it('prevents a name that looks like a scheme or a host from being one', () => {
    assert.deepEqual(linked(listing(['javascript:alert(1)', 'mailto:x/y'])), [
      'javascript%3Aalert(1)',
      'mailto%3Ax/y',
    ]);
  });

  it('names unserved files without a link', () => {
    const html = listing(['.git/config', '../x', '/etc/passwd']);
    assert.deepEqual(linked(html), []);
    assert.ok(words(html).includes('passwd'));
  });

  it('counts the files, and reports more beyond', () => {
    assert.match(words(listing(['a'])), /1 file ·/);
    assert.match(words(listing(['a', 'b'], true)), /The first 2 files .* There are more files/);
    assert.doesNotMatch(words(listing(['a', 'b'])), /more files/);
  });

  it('links to the project, and has the switcher with all its modules if the project has one', () => {
    assert.ok(attributes(listing(['a']), 'href').includes('/-/projects/tool'));
    assert.deepEqual(attributes(listing(['a']), 'src').includes('/-/switcher.js'), false);
    const sources = attributes(listing(['a'], false, true), 'src');
    for (const module of ['/-/switcher.js', '/-/switcher/finder.js', '/-/assets/find-pages.js']) {
      assert.equal(sources.filter((source) => source === module).length, 1, module);
    }
  });

  it('shows the size of each file', () => {
    assert.match(words(listing(['a', 'b/c.pdf'])), /a 2\.0 KiB b\/ ?c\.pdf 2\.0 KiB/);
  });

  it('shows the sizes of the site and its archive', () => {
    const record = {
      ...version.record,
      site: { files: 3, bytes: 3 * 1024 },
      archive: { size: 2048, sha256: 'ab' },
    };
    const sized = { ...version, record };
    const html = pages.listing({
      project,
      version: sized,
      files: ['a'],
      sizes: [0],
      more: false,
      hasSwitcher: false,
    });
    assert.match(words(html), /1 file · 3\.0 KiB · published .* Download as zip, 2\.0 KiB/);
  });

  it('offers the archive', () => {
    assert.ok(attributes(listing(['a']), 'href').includes('/tool-1.0-docs.zip'));
  });
});

describe('The page for a failure', () => {
  it('shows status, title and message, and the request id when there is one', () => {
    const facts = { status: 503, title: 'Not now', message: 'Try again.' };
    assert.match(
      words(pages.failure({ ...facts, requestId: 'r-1' })),
      /503 Not now Try again\. .*Request r-1/,
    );
    assert.doesNotMatch(words(pages.failure(facts)), /Request/);
  });
});
