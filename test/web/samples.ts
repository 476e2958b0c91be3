import assert from 'node:assert/strict';
import { describeApi } from '../../src/adapters/http/api/operations.js';
import { ComparedPagePage } from '../../src/adapters/web/comparison/compared-page.js';
import { ComparisonPage } from '../../src/adapters/web/comparison/comparison-page.js';
import { HtmlPages } from '../../src/adapters/web/index.js';
import { LinksPage } from '../../src/adapters/web/links.js';
import { UsagePage } from '../../src/adapters/web/usage/usage-page.js';
import {
  type ComparedPageModel,
  type ComparisonModel,
  type FoundPages,
  type Missing,
  type PageHit,
  type ProjectRow,
  type ShownLinks,
  type ShownUsage,
  type Suggestions,
  TABLE_COLUMNS,
  tableOrder,
  type VersionComparison,
} from '../../src/application/index.js';
import {
  type Docinfo,
  daysIn,
  groupsOf,
  lastDays,
  Project,
  type RetentionRules,
  retentionPlan,
  SearchTerm,
  type Source,
  tagsOf,
  type Version,
} from '../../src/domain/index.js';
import { STATUS_OF } from '../../src/formats/index.js';
import { PARTS } from '../support/every-route.js';

const RULES: RetentionRules = { keepPerMinor: 3, maxAgeDays: 365 };
export const ADDRESS = 'http://docs.example.com:8080';
/** The API description of a server that has everything. */
export const DESCRIPTION = await describeApi(PARTS);
export const HELP = { address: ADDRESS, statuses: STATUS_OF };

export const pages = new HtmlPages({
  version: '1.2.3',
  uploads: true,
  uploadPage: true,
  search: true,
  usage: true,
  mcp: true,
  hasOwnOrigin: true,
});
export const readOnlyPages = new HtmlPages({ version: 'DEV', uploads: false, uploadPage: true });
export const pagesWithoutForms = new HtmlPages({ version: 'DEV', uploads: true, uploadPage: false });

/** Text that becomes markup, an attribute or a script wherever somebody forgets to escape it. */
export const HOSTILE = `<script>alert("x")</script>'"><img src=x onerror=alert(1)>&amp;`;

export function makeVersion(project: string, label: string, docinfo?: Docinfo): Version {
  return {
    project,
    label,
    directoryName: `${project}-${label}`,
    revision: `${project}-${label}.1`,
    origin: 'upload',
    record: {
      publishedAt: new Date('2026-03-04T05:06:07Z'),
      site: { files: 1_234, bytes: 12_345_678 },
      archive: { size: 4_567_890, sha256: 'ab'.repeat(32) },
      token: project === HOSTILE ? HOSTILE : 'ci',
      docinfo,
    },
  };
}

export function makePreview(project: string, name: string): Version {
  const directoryName = `${project}~${name}`;
  const expiresAt = new Date('2026-04-03T05:06:07Z');
  const version = makeVersion(project, name);
  const record = { ...version.record, expiresAt };
  return { ...version, directoryName, revision: `${directoryName}.1`, record };
}

export function makeProject(
  name: string,
  labels: readonly [string, ...string[]],
  docinfo?: Docinfo,
): Project {
  const [first, ...others] = labels;
  return new Project(name, [
    makeVersion(name, first, docinfo),
    ...others.map((label) => makeVersion(name, label, docinfo)),
  ]);
}

const LABELS = ['1.0.0', '1.10.0', '1.9.0', '2.0.0', '3.0.0-beta.1', '0.1', '0.2', '0.3', 'main'] as const;

export const project = makeProject('my-project', LABELS, {
  name: 'My Project',
  description: 'What it is for.',
  logo: 'static files/logo#1.svg',
  group: 'Tools',
  tags: ['sdk', 'http api'],
  owner: 'Team Blue',
  repository: 'https://git.example.org/my/project',
  contact: 'blue@example.org',
});

/** A project of which everything that comes from outside is hostile, its label included. */
export const hostileProject = makeProject(HOSTILE, [HOSTILE, '1.0'], {
  name: HOSTILE,
  description: HOSTILE,
  logo: `${HOSTILE.replaceAll('/', '')}.svg`,
  group: HOSTILE,
  tags: [HOSTILE],
  owner: HOSTILE,
  repository: HOSTILE,
  contact: HOSTILE,
});

/** Returns the facts of an index. A test gives the ones that it is about. */
export const indexOf = ({
  search = '',
  projects = [],
  ...facts
}: Partial<Omit<Parameters<HtmlPages['index']>[0], 'search'>> & { readonly search?: string }) => ({
  projects,
  found: projects.length,
  search: SearchTerm.of(search) ?? assert.fail('too long'),
  filter: {},
  facets: { groups: groupsOf(projects), tags: tagsOf(projects) },
  order: 'name' as const,
  address: ADDRESS,
  ...facts,
});

/** Returns the facts of a search page. A test gives the ones that it is about. */
export const searchOf = (facts: Partial<Parameters<HtmlPages['search']>[0]>) => ({
  query: '',
  place: undefined,
  version: undefined,
  filter: {},
  isEverywhere: false,
  found: undefined,
  offset: 0,
  previous: undefined,
  next: undefined,
  ...facts,
});

/** Facts of a search whose words are all known. */
export const EXACT = { omittedTerms: [], corrections: [], more: false } as const;

/** Returns pages of a project whose texts are all the given one. */
export const foundIn = (project: Project, text: string): FoundPages => ({
  hits: Array.from(
    { length: 5 },
    (_, index): PageHit => ({
      project,
      version: project.versions[index % 2] ?? project.latest,
      path: `guide/${index}.html`,
      title: text,
      kind: index === 0 ? 'page' : 'section',
      ...(index === 0 ? {} : { heading: text, anchor: text }),
      snippet: [
        { text: '… ', isMarked: false },
        { text, isMarked: true },
        { text, isMarked: false },
      ],
      ...(index === 1
        ? {
            sameIn: [
              {
                ...{ project, version: project.latest, path: `${text}.html`, title: text },
                ...{ kind: 'page', snippet: [] },
              },
            ],
          }
        : {}),
    }),
  ),
  total: 200,
  correctedTo: text,
  omittedTerms: [text],
  corrections: [{ from: text, to: text }],
  more: true,
  indexing: [project.latest],
});

export const NO_SUGGESTIONS: Suggestions = { projects: [], page: '', closest: [], inOthers: [] };

export const suggestionsOf = (of: Project, page: string): Suggestions => ({
  projects: [of],
  page,
  closest: [{ version: of.latest, to: `/${of.latest.directoryName}/guides/a.html`, isSame: false }],
  inOthers: of.versions.map((version) => ({
    version,
    to: `/${version.directoryName}/guide/a.html`,
    isSame: true,
  })),
  nearest: { version: of.latest, to: `/${of.latest.directoryName}/guide/`, isSame: false },
  inLatest: { version: of.latest, to: `/${of.latest.directoryName}/guide/a.html`, isSame: true },
});

/** All versions of a project, as the upload page has the last ones. */
const recentOf = (of: Project) =>
  of.versions.map((version) => ({
    kind: 'published' as const,
    time: version.record.publishedAt,
    version,
    project: of,
  }));

export const missingOf = (of: Project): readonly Missing[] => [
  { what: 'project' },
  { what: 'version', project: of },
  { what: 'page', project: of, version: of.versions[0] ?? of.latest },
  { what: 'preview', project: of },
];

/** A comparison whose paths and texts are this text. */
function comparisonOf(of: Project, text: string): ComparisonModel {
  const page = { before: `a/${text}.html`, after: `b/${text}.html` };
  const [before = of.latest] = of.versions;
  const comparison: VersionComparison = {
    project: of,
    before,
    after: of.latest,
    added: [page.after],
    removed: [page.before],
    changed: [page],
    unchanged: 7,
    moved: new Map(),
    isCut: true,
  };
  const removed = [
    { path: page.before, title: text, proposedRedirect: `/${text} /b` },
    { path: 'index.html', title: '' },
    { path: 'c.html', title: 'C', redirectedTo: page.after },
  ];
  const part = {
    added: [page.after],
    removed,
    changed: [page],
    titles: new Map([[page.after, text]]),
    more: true,
  };
  return { comparison, part, words: new Map([[page.after, { added: 1_200, removed: 3 }]]), offset: 200 };
}

function comparedOf(of: Project, text: string, isBesidePage: boolean): ComparedPageModel {
  const { comparison } = comparisonOf(of, text);
  const same = { isHeading: false, parts: [{ kind: 'same' as const, text }] };
  const changed = {
    isHeading: true,
    anchor: text,
    parts: (['removed', 'added', 'same'] as const).map((kind) => ({ kind, text })),
  };
  const blocks = [changed, same, same, same, same];
  const paths = { before: `a/${text}.html`, after: `b/${text}.html` };
  return { compared: { ...comparison, paths, title: text, blocks, isCut: true }, isBesidePage };
}

/** Dead links of each kind, whose paths and texts are this one. */
function linksOf(of: Project, text: string): ShownLinks & { readonly offset: number } {
  const links: ShownLinks['byPage'][number]['links'] = [
    {
      link: `${text}.html`,
      target: `a/${text}.html`,
      missing: 'page',
      closest: `b/${text}.html`,
      leadsTo: 'b/1.html',
      redirect: `/${text} /b/1.html 301`,
    },
    { link: `#${text}`, target: `a.html#${text}`, missing: 'anchor', closest: text, leadsTo: 'a.html#1' },
    { link: 'nothing.html', target: 'nothing.html', missing: 'page' },
  ];
  return {
    project: of,
    version: of.latest,
    report: { pages: 12, links: 340, dead: 3, isCut: true },
    byPage: [{ path: `${text}.html`, links }],
    redirects: links.flatMap(({ redirect }) => redirect ?? []),
    offset: 0,
    house: {
      isChecked: true,
      isCut: true,
      dead: 4,
      links: (['project', 'version', 'page', 'anchor'] as const).map((missing) => ({
        page: `${text}.html`,
        link: `/${missing}-1.0/${text}.html`,
        missing,
      })),
      here: [{ page: `${text}.html`, link: `../${text}`, missing: 'page', version: of.latest }],
    },
  };
}

/** Counts of some days, with a version that was read, one that was not, and missing pages of each kind. */
export function usageOf(of: Project, text: string, days: number): ShownUsage {
  const range = lastDays(days, new Date('2026-11-23T12:00:00Z'));
  const counts = daysIn(range).map((day, index) => ({
    day,
    reads: (index * 37) % 101,
    agents: index,
    misses: index % 5,
  }));
  const versions = of.listed
    .slice(1)
    .map(({ label }, index) => ({ label, reads: 9 - index, agents: 2, misses: 1 }));
  const path = { path: `${text}/a.html`, count: 1_234, versions: of.listed.map(({ label }) => label) };
  return {
    ...range,
    project: of,
    days: counts,
    total: { reads: 12_345, agents: 678, misses: 1 },
    versions,
    others: { reads: 3, agents: 0, misses: 0 },
    reads: [path, { path: 'index.html', count: 2, versions: ['1.0'] }],
    agents: [path],
    misses: [
      { ...path, proposedRedirect: `/${text} /b.html 301` },
      { ...path, path: 'old', leadsTo: `${text}.html` },
      { ...path, path: 'nothing' },
    ],
    missingFiles: { count: 1, paths: [{ ...path, path: `${text}/a.css` }] },
  };
}

/** A row of the table of projects with a value in each column. */
function rowOf(of: Project, text: string): ProjectRow {
  const numbers = {
    versions: 9,
    size: 5_000_000,
    reads: 1_234,
    agents: 5,
    missing: 2,
    dead_links: 3,
    warnings: 1,
  };
  const published = of.latest.record.publishedAt;
  return {
    project: of,
    values: { project: of.title, group: text, owner: text, published, by: text, ...numbers },
  };
}

/** A source that an issuer told, and one that a client told. */
function sourcesIn({ listed, latest }: Project, text: string): ReadonlyMap<string, Source> {
  const facts = { repository: `acme/${text}`, commit: 'abc1234def56', ref: `refs/heads/${text}`, run: '42' };
  const service = { name: 'github', address: 'https://github.com' } as const;
  return new Map<string, Source>([
    [listed[0]?.directoryName ?? '', { ...facts, toldBy: 'client' }],
    [latest.directoryName, { ...facts, toldBy: 'issuer', service }],
  ]);
}

/** Every page there is, with tame and with hostile facts: a new page belongs here. */
export const everyPage: ReadonlyMap<string, string> = new Map(
  [pages, readOnlyPages, pagesWithoutForms].flatMap((made, round) =>
    [project, hostileProject].flatMap((of) => {
      const hostile = of === hostileProject;
      const text = hostile ? HOSTILE : 'tame';
      const address = hostile ? `http://${HOSTILE}` : ADDRESS;
      return Object.entries({
        index: made.index(indexOf({ projects: [of], search: '', address })),
        'index of a search': made.index(indexOf({ projects: [of], search: text, address })),
        'index without hits': made.index(indexOf({ projects: [], search: text, address })),
        'empty index': made.index(indexOf({ projects: [], search: '', address })),
        'newest index': made.index(indexOf({ projects: [of, project], order: 'newest' })),
        'index in groups': made.index(indexOf({ projects: [of, project], order: 'group' })),
        'filtered index': made.index(indexOf({ projects: [of], filter: { group: text, tag: text } })),
        table: made.table({
          columns: TABLE_COLUMNS,
          rows: [rowOf(of, text), { project, values: { project: project.title } }],
          found: 500,
          offset: 200,
          limit: 200,
          search: SearchTerm.of(text) ?? assert.fail(),
          filter: { group: text, owner: text },
          ...tableOrder('size', 'asc'),
        }),
        project: made.project({
          project: of,
          previews: [makePreview(of.directoryName, text)],
          diskUse: { versions: 5_000_000, previews: 70_000, removed: 900 },
          deadLinks: 3,
          sources: sourcesIn(of, text),
          retention: { rules: RULES, plan: retentionPlan(of, RULES) },
          address,
        }),
        search: made.search(searchOf({ query: text, found: foundIn(of, text) })),
        'search in a project': made.search(
          searchOf({
            query: text,
            place: { project: of, version: of.latest },
            version: '1.0',
            found: foundIn(of, text),
            offset: 40,
            previous: 20,
            next: 60,
          }),
        ),
        'search in a project that the words name': made.search(
          searchOf({
            query: `${text} ${text}`,
            found: {
              ...foundIn(of, text),
              inWords: { project: of, version: of.latest, why: 'latest', rest: text },
            },
            next: 20,
          }),
        ),
        'search without hits': made.search(
          searchOf({ query: text, found: { hits: [], total: 0, ...EXACT, indexing: [] } }),
        ),
        'search while pages are read': made.search(
          searchOf({
            query: text,
            place: { project: undefined, version: makePreview(of.directoryName, text) },
            version: `~${text}`,
            found: { hits: [], total: 0, ...EXACT, indexing: [of.latest] },
          }),
        ),
        'empty search': made.search(searchOf({})),
        usage: made.of(UsagePage, { usage: usageOf(of, text, hostile ? 400 : 30), days: 30 }),
        help: made.help({ ...HELP, address }),
        publishing: made.publishing({ ...HELP, address }),
        upload: made.upload({ address, recent: recentOf(of) }) ?? made.help({ ...HELP, address }),
        manage: made.manage({ project: of.directoryName }) ?? made.help({ ...HELP, address }),
        api: made.api({ description: DESCRIPTION, address }),
        listing: made.listing({
          project: of,
          version: of.latest,
          files: [text, `a/${text}`],
          sizes: [text, `a/${text}`].map(() => 1_000),
          more: hostile,
          hasSwitcher: hostile,
        }),
        comparison: made.of(ComparisonPage, comparisonOf(of, text)),
        'compared page': made.of(ComparedPagePage, comparedOf(of, text, false)),
        'compared page itself': made.of(ComparedPagePage, comparedOf(of, text, true)),
        links: made.of(LinksPage, linksOf(of, text)),
        'listing of a preview': made.listing({
          project: undefined,
          version: makePreview(of.directoryName, text),
          files: [text],
          sizes: [text].map(() => 1_000),
          more: hostile,
          hasSwitcher: false,
        }),
        'page missing in a preview without versions': made.missing({
          missing: { what: 'page', project: undefined, version: makePreview(of.directoryName, text) },
          suggestions: NO_SUGGESTIONS,
        }),
        failure: made.failure({ status: 500, title: text, message: text, requestId: text }),
        'missing project, for who can sign in': made.missing({
          missing: { what: 'project' },
          suggestions: NO_SUGGESTIONS,
          signIn: `/sign-in?rd=${encodeURIComponent(text)}`,
        }),
        'failure, for who can sign in': made.failure({
          status: 404,
          title: text,
          message: text,
          signIn: `/sign-in?rd=${encodeURIComponent(text)}`,
        }),
        ...Object.fromEntries(
          missingOf(of).flatMap((missing) => [
            [`missing ${missing.what}`, made.missing({ missing, suggestions: NO_SUGGESTIONS })],
            [
              `missing ${missing.what}, with help`,
              made.missing({ missing, suggestions: suggestionsOf(of, 'guide/a.html') }),
            ],
          ]),
        ),
      }).map(([name, html]): [string, string] => [
        `${hostile ? 'hostile' : 'tame'} ${name}, ${['with uploads', 'without uploads', 'without the upload page'][round]}`,
        html,
      ]);
    }),
  ),
);

/** The values of one attribute, in order, with the character references that the renderer writes undone. */
export function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value));
}

/** Returns the text that a reader sees: without tags, with single spaces. */
export function words(html: string): string {
  return unescaped(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
