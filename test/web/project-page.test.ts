import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Project } from '../../src/domain/index.js';
import {
  ADDRESS,
  attributes,
  makeProject,
  makeVersion,
  NONCE,
  pages,
  project,
  readOnlyPages,
  words,
} from './samples.js';

const page = (of = project) => pages.project({ project: of, address: ADDRESS, nonce: NONCE });

describe('The page of a project', () => {
  it('links every version and its archive, newest first', () => {
    const hrefs = attributes(page(), 'href').filter(
      (to) => to.startsWith('/my-project-') && !to.includes('-latest'),
    );
    const order = ['3.0.0-beta.1', '2.0.0', '1.10.0', '1.9.0', '1.0.0', '0.3', '0.2', '0.1', 'main'];
    assert.deepEqual(
      hrefs,
      order.flatMap((label) => [`/my-project-${label}/`, `/my-project-${label}-docs.zip`]),
    );
  });

  it('says what each version is', () => {
    const byHand = { ...makeVersion('tool', '0.9'), origin: 'copied' as const };
    const versions = ['1.0', '2.0', '3.0rc1', '2.1-nightly', 'main'].map((label) =>
      makeVersion('tool', label),
    );
    const text = words(page(new Project('tool', [byHand, ...versions])));
    assert.match(text, /2\.0 latest stable 2026/);
    assert.match(text, /3\.0rc1 pre-release 2026/);
    assert.match(text, /2\.1-nightly pre-release 2026/);
    assert.match(text, /main 2026/);
    assert.match(text, /0\.9 stable copied in 2026/);
  });

  it('says the date, the number of files, both sizes and the checksum', () => {
    const text = words(page(makeProject('tool', ['1.0'])));
    assert.match(text, /2026-03-04 1,234 files, 12 MiB Download 1\.0 4\.4 MiB/);
    assert.match(text, new RegExp(`sha256 of 1\\.0 ${'ab'.repeat(32)}`));
  });

  it('leaves out what is not known of a copied-in version', () => {
    const byHand = { ...makeVersion('tool', '1.0'), origin: 'copied' as const };
    const { archive: _, site: __, ...known } = byHand;
    const text = words(page(new Project('tool', [known])));
    assert.doesNotMatch(text, /sha256|files/);
    assert.ok(attributes(page(new Project('tool', [known])), 'href').includes('/tool-1.0-docs.zip'));
  });

  it('has the commands and the badge with the own address to copy', () => {
    const text = words(page());
    assert.ok(text.includes(`curl -OJ ${ADDRESS}/api/download/my-project/latest`));
    assert.ok(text.includes('-F "file=@my-project-<version>-docs.zip"'));
    assert.ok(text.includes(`[![docs](${ADDRESS}/-/badge/my-project.svg)](${ADDRESS}/my-project-latest/)`));
    assert.ok(attributes(page(), 'src').includes('/-/badge/my-project.svg'));
  });

  it('leaves the own address to its script where only the browser knows it', () => {
    const html = pages.project({ project, address: undefined, nonce: NONCE });
    assert.equal(html.match(/<span data-own-address[^>]*>\$LECTERN_URL<\/span>/g)?.length, 5);
    const code = html.replace(/<[^>]*>/g, '');
    assert.ok(code.includes('curl -OJ $LECTERN_URL/api/download/my-project/latest'));
    assert.ok(
      code.includes('[![docs]($LECTERN_URL/-/badge/my-project.svg)]($LECTERN_URL/my-project-latest/)'),
    );
    assert.doesNotMatch(page(), /data-own-address/);
  });

  it('shows no upload on a server that takes none', () => {
    const html = readOnlyPages.project({ project, address: ADDRESS, nonce: NONCE });
    assert.doesNotMatch(words(html), /api\/upload/);
  });

  it('keeps + legible in links, and percent-encodes what would break them', () => {
    assert.ok(attributes(page(makeProject('tool', ['1.0.0+b5'])), 'href').includes('/tool-1.0.0+b5/'));
    assert.ok(attributes(page(makeProject('a b?#', ['1%'])), 'href').includes('/a%20b%3F%23-1%25/'));
  });
});

describe('The badge', () => {
  it('says the latest version, for eyes and for screen readers, as an image of that width', () => {
    const svg = pages.badge({ project });
    assert.match(svg, /^<svg [^>]*role="img" aria-label="docs: 2\.0\.0">/);
    assert.match(svg, />2\.0\.0<\/text>/);
  });

  it('says so when there is no such project', () => {
    assert.match(pages.badge({ project: undefined }), /docs: not found/);
  });

  it('holds hostile text as text', () => {
    const svg = pages.badge({ project: makeProject('tool', ['<script>"&']) });
    assert.ok(svg.includes('docs: &lt;script&gt;&quot;&amp;'));
    assert.ok(!svg.includes('<script'));
  });
});
