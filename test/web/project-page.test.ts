import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Project, type RetentionRules, retentionPlan, type Version } from '../../src/domain/index.js';
import {
  ADDRESS,
  attributes,
  HOSTILE,
  makePreview,
  makeProject,
  makeVersion,
  pages,
  project,
  readOnlyPages,
  words,
} from './samples.js';

/** When a directory was copied in. */
const DAY = new Date('2026-03-04T05:06:07Z');

const ALL_KEPT = { rules: {}, plan: [] };
const NO_BYTES = { versions: 0, previews: 0, removed: 0 };

const page = (
  of = project,
  previews: readonly Version[] = [],
  rules?: RetentionRules,
  diskUse = NO_BYTES,
) => {
  const retention = rules === undefined ? ALL_KEPT : { rules, plan: retentionPlan(of, rules) };
  return pages.project({ project: of, previews, retention, diskUse, address: ADDRESS });
};

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

  it('shows the status of each version', () => {
    const byHand = { ...makeVersion('tool', '0.9'), origin: 'copied' as const, record: { publishedAt: DAY } };
    const versions = ['1.0', '2.0', '3.0rc1', '2.1-nightly', 'main'].map((label) =>
      makeVersion('tool', label),
    );
    const text = words(page(new Project('tool', [byHand, ...versions])));
    assert.match(text, /2\.0 latest 2026/);
    assert.match(text, /3\.0rc1 pre-release 2026/);
    assert.match(text, /2\.1-nightly pre-release 2026/);
    assert.match(text, /main branch 2026/);
    assert.match(text, /0\.9 2026-03-04 copied to the server/);
    assert.doesNotMatch(text, /stable/);
  });

  it('links from each version to its changes', () => {
    const html = page(makeProject('tool', ['1.0', '1.1', '2.0rc1', 'main']));
    const links = attributes(html, 'href').filter((to) => to.startsWith('/-/compare/tool/'));
    assert.deepEqual(links, ['/-/compare/tool/1.1/2.0rc1', '/-/compare/tool/1.0/1.1']);
    assert.match(words(html), /Changes of 2\.0rc1 since 1\.1/);
  });

  it('shows the time, the publisher, the number of files, both sizes and the checksum', () => {
    const html = page(makeProject('tool', ['1.0']));
    const text = words(html);
    assert.match(text, /2026-03-04 by ci 1,234 files, 12 MiB Download 1\.0 4\.4 MiB/);
    assert.ok(html.includes('title="2026-03-04 05:06:07 UTC"'));
    assert.match(text, new RegExp(`sha256 of 1\\.0 ${'ab'.repeat(32)}`));
  });

  it('lists the downloads of the latest version with their kinds and sizes', () => {
    const withDownloads = (label: string, file: string): Version => {
      const made = makeVersion('tool', label);
      return { ...made, record: { ...made.record, downloads: [{ file, label: HOSTILE, size: 2_000_000 }] } };
    };
    const html = page(
      new Project('tool', [withDownloads('1.0', 'old.pdf'), withDownloads('2.0', 'a/b é.pdf')]),
    );
    const hrefs = attributes(html, 'href').filter((to) => to.endsWith('.pdf'));
    assert.deepEqual(hrefs, ['/tool-2.0/a/b%20%C3%A9.pdf']);
    assert.ok(words(html).includes('PDF, 1.9 MiB'));
    assert.doesNotMatch(html, /<script>alert/);
    assert.doesNotMatch(page(makeProject('tool', ['1.0'])), /Downloads of/);
  });

  it('omits unknown facts of a copied-in version', () => {
    const known = { ...makeVersion('tool', '1.0'), origin: 'copied' as const, record: { publishedAt: DAY } };
    const text = words(page(new Project('tool', [known])));
    assert.doesNotMatch(text, /sha256|files/);
    assert.ok(attributes(page(new Project('tool', [known])), 'href').includes('/tool-1.0-docs.zip'));
  });

  it('has a part for each major version, and folds pre-releases and, when many, older parts', () => {
    const minors = (major: number) => Array.from({ length: 12 }, (_, minor) => `${major}.${minor}`);
    const many = makeProject('tool', ['1.0-rc1', ...minors(1), ...minors(2), '2.12-beta', '3.0-rc1', 'main']);
    const html = page(many);
    const open = [...html.matchAll(/<details class="series above-3"( open)?><summary><h3>([^<]*)/g)];
    assert.deepEqual(
      open.map(([, isOpen, title]) => [title, isOpen !== undefined]),
      [
        ['3.x', true],
        ['2.x', true],
        ['1.x', false],
        ['Branches and commits', false],
      ],
    );
    assert.match(words(html), /1\.x 13 versions .* 1 pre-release 1\.0-rc1 pre-release/);
    assert.doesNotMatch(page(makeProject('tool', ['1.0', '1.1'])), /class="series /);
    assert.doesNotMatch(page(), /class="series [^"]*">/, 'few versions are all unfolded');
  });

  it('shows a contact with half a surrogate pair as text, invalid in an address', () => {
    const html = page(makeProject('tool', ['1'], { contact: 'a\ud800@example.org' }));
    assert.match(words(html), /Contact a.@example\.org/);
    assert.deepEqual(
      attributes(html, 'href').filter((to) => to.startsWith('mailto:')),
      [],
    );
  });

  it('shows the docinfo, with links to web and e-mail addresses only', () => {
    const hrefs = attributes(page(), 'href');
    assert.match(
      words(page()),
      /Group Tools Owner Team Blue Repository git\.example\.org\/my\/project Contact blue@/,
    );
    for (const to of ['/?group=Tools', 'https://git.example.org/my/project', 'mailto:blue%40example.org']) {
      assert.ok(hrefs.includes(to), to);
    }
    for (const contact of [
      'javascript:alert(1)',
      '#docs on chat',
      'a@b?bcc=c@d',
      'https://',
      '//evil.example',
    ]) {
      const html = page(makeProject('tool', ['1'], { contact, repository: contact }));
      assert.ok(words(html).includes(`Contact ${contact}`), contact);
      const links = attributes(html, 'href').filter((to) => !/^[/#]/.test(to));
      assert.deepEqual(
        links.filter((to) => !to.startsWith(ADDRESS)),
        [],
        contact,
      );
    }
  });

  it('folds previews, each with its address, date and end, and counts none as a version', () => {
    const preview = makePreview('tool', 'docs');
    const kept = { ...preview, record: { ...preview.record, expiresAt: undefined } };
    const html = page(makeProject('tool', ['1.0']), [makePreview('tool', 'pr-1'), kept]);
    const [, folded = ''] = /<details class="previews above-4">(.*?)<\/details>/s.exec(html) ?? [];
    assert.match(words(folded), /^ 2 previews pr-1 2026-03-04 · until 2026-04-03 docs 2026-03-04 · kept $/);
    assert.deepEqual(attributes(folded, 'href'), ['/tool~pr-1/', '/tool~docs/']);
    assert.match(words(html), /Versions 1 /);
  });

  it('mentions no previews when there are none', () => {
    assert.doesNotMatch(words(page()), /preview/);
  });

  it('shows the rules that remove versions, the kept versions, and the next removals, folded', () => {
    const [old, latest] = ['1.0', '2.0'].map((label) => makeVersion('tool', label));
    const tool = new Project('tool', [old ?? assert.fail(), latest ?? assert.fail()]);
    const html = page(tool, [], { keepPerMinor: 3, maxAgeDays: 365 });
    const [, folded = ''] = /<details class="retention above-4">(.*?)<\/details>/s.exec(html) ?? [];
    const end = new Date((old?.record.publishedAt.getTime() ?? 0) + 365 * 86_400_000)
      .toISOString()
      .slice(0, 10);
    const sentences = [
      'Retention',
      'The newest 3 versions of each minor are kept.',
      'A version is kept for 365 days.',
      'The latest version and versions with an alias are always kept.',
      `Next to be removed: 1.0, on ${end} .`,
    ];
    assert.equal(words(folded).trim(), sentences.join(' '));
  });

  it('mentions no rules when all versions are kept', () => {
    assert.doesNotMatch(page(), /class="retention /);
  });

  it('shows the size of the project, and its parts', () => {
    const use = (versions: number, previews: number, removed: number) =>
      words(page(project, [], undefined, { versions, previews, removed }));
    assert.match(
      use(3_000_000, 20_000, 500),
      /2\.9 MiB on disk: versions 2\.9 MiB, previews 20 KiB, removed versions 500 bytes /,
    );
    assert.match(use(2_048, 0, 0), /2\.0 KiB on disk(?!:)/);
    assert.doesNotMatch(use(0, 0, 0), /Takes/);
  });

  it('has the commands and the badge with the public address to copy', () => {
    const text = words(page());
    assert.ok(text.includes(`curl -OJ ${ADDRESS}/api/download/my-project/latest`));
    assert.ok(text.includes('-F "file=@my-project-<version>-docs.zip"'));
    assert.ok(text.includes(`[![docs](${ADDRESS}/-/badge/my-project.svg)](${ADDRESS}/my-project-latest/)`));
    assert.ok(attributes(page(), 'src').includes('/-/badge/my-project.svg'));
  });

  it('leaves an unknown public address to its script', () => {
    const html = pages.project({
      project,
      previews: [],
      retention: ALL_KEPT,
      diskUse: NO_BYTES,
      address: undefined,
    });
    assert.equal(html.match(/<span data-own-address[^>]*>\$LECTERN_URL<\/span>/g)?.length, 10);
    const code = html.replace(/<[^>]*>/g, '');
    assert.ok(code.includes('curl -OJ $LECTERN_URL/api/download/my-project/latest'));
    assert.ok(
      code.includes('[![docs]($LECTERN_URL/-/badge/my-project.svg)]($LECTERN_URL/my-project-latest/)'),
    );
    assert.doesNotMatch(page(), /data-own-address/);
  });

  it('has a line to copy for each coding agent, or none without MCP', () => {
    const code = page()
      .replace(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"');
    for (const line of [
      `claude mcp add --transport http docs ${ADDRESS}/-/mcp`,
      `{"mcpServers":{"docs":{"url":"${ADDRESS}/-/mcp"}}}`,
      `code --add-mcp '{"name":"docs","type":"http","url":"${ADDRESS}/-/mcp"}'`,
      `codex mcp add docs --url ${ADDRESS}/-/mcp`,
      `gemini mcp add --transport http docs ${ADDRESS}/-/mcp`,
    ]) {
      assert.ok(code.includes(line), line);
    }
    const facts = { project, previews: [], retention: ALL_KEPT, diskUse: NO_BYTES, address: ADDRESS };
    assert.doesNotMatch(readOnlyPages.project(facts), /mcp/);
  });

  it('shows no upload on a read-only server', () => {
    const html = readOnlyPages.project({
      project,
      previews: [],
      retention: ALL_KEPT,
      diskUse: NO_BYTES,
      address: ADDRESS,
    });
    assert.doesNotMatch(words(html), /api\/upload/);
  });

  it('keeps + legible in links, and percent-encodes unsafe characters', () => {
    assert.ok(attributes(page(makeProject('tool', ['1.0.0+b5'])), 'href').includes('/tool-1.0.0+b5/'));
    assert.ok(attributes(page(makeProject('a b?#', ['1%'])), 'href').includes('/a%20b%3F%23-1%25/'));
  });
});

describe('The badge', () => {
  it('shows the latest version, visibly and for screen readers, as an image of matching width', () => {
    const svg = pages.badge(project.latest);
    assert.match(svg, /^<svg [^>]*role="img" aria-label="docs: 2\.0\.0">/);
    assert.match(svg, />2\.0\.0<\/text>/);
  });

  it('reports a missing project', () => {
    assert.match(pages.badge(undefined), /docs: not found/);
  });

  it('contains hostile text as text', () => {
    const svg = pages.badge(makeProject('tool', ['<script>"&']).latest);
    assert.ok(svg.includes('docs: &lt;script&gt;&quot;&amp;'));
    assert.ok(!svg.includes('<script'));
  });
});
