import assert from 'node:assert/strict';
import { STATUS_OF } from '../../src/adapters/http/errors.js';
import { HtmlPages } from '../../src/adapters/web/index.js';
import type { Missing, Suggestions } from '../../src/application/index.js';
import { type Docinfo, Project, SearchTerm, type Version } from '../../src/domain/index.js';

export const ADDRESS = 'http://docs.example.com:8080';
export const HELP = { address: ADDRESS, statuses: STATUS_OF };
export const NONCE = 'bm9uY2Ugb2YgMTYgYnk=';

export const pages = new HtmlPages({ version: '1.2.3', uploads: true, uploadPage: true });
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
    publishedAt: new Date('2026-03-04T05:06:07Z'),
    origin: 'upload',
    site: { files: 1_234, bytes: 12_345_678 },
    archive: { size: 4_567_890, sha256: 'ab'.repeat(32) },
    ...(docinfo === undefined ? {} : { docinfo }),
  };
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
});

/** A project of which everything that comes from outside is hostile, its label included. */
export const hostileProject = makeProject(HOSTILE, [HOSTILE, '1.0'], {
  name: HOSTILE,
  description: HOSTILE,
  logo: `${HOSTILE.replaceAll('/', '')}.svg`,
});

/** The facts of an index, of which a test gives those that it is about. */
export const indexOf = ({
  search = '',
  projects = [],
  ...facts
}: Partial<Omit<Parameters<HtmlPages['index']>[0], 'search'>> & { readonly search?: string }) => ({
  projects,
  found: projects.length,
  search: SearchTerm.of(search) ?? assert.fail('too long'),
  order: 'name' as const,
  address: ADDRESS,
  nonce: NONCE,
  ...facts,
});

export const NO_SUGGESTIONS: Suggestions = { projects: [], page: '' };

export const suggestionsOf = (of: Project, page: string): Suggestions => ({
  projects: [of],
  page,
  nearest: { version: of.latest, to: `/${of.latest.directoryName}/guide/`, isSame: false },
  inLatest: { version: of.latest, to: `/${of.latest.directoryName}/guide/a.html`, isSame: true },
});

export const missingOf = (of: Project): readonly Missing[] => [
  { what: 'project' },
  { what: 'version', project: of },
  { what: 'page', project: of, version: of.versions[0] ?? of.latest },
];

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
        project: made.project({ project: of, address, nonce: NONCE }),
        help: made.help({ ...HELP, address }),
        upload: made.upload({ address, nonce: NONCE }) ?? made.help({ ...HELP, address }),
        api: made.api({ nonce: NONCE }) ?? made.help({ ...HELP, address }),
        listing: made.listing({ version: of.latest, files: [text, `a/${text}`], more: hostile }),
        failure: made.failure({ status: 500, title: text, message: text, requestId: text }),
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

/** What a reader sees: without tags, with single spaces. */
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
