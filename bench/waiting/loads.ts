import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lectern } from '../support/lectern.js';
import { projectName, writeLibrary } from '../support/library.js';
import { run } from '../support/processes.js';
import { untilIndexed } from '../support/requests.js';
import { temporaryDirectory } from '../support/temporary.js';

/** Requests that others send without pause. */
export interface Load {
  readonly what: string;
  readonly paths: readonly string[];
  /** 16 by default. */
  readonly connections?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST, in turn with the paths. */
  readonly bodies?: readonly string[];
  /** Paths that innocent readers request beside `/robots.txt`. */
  readonly innocents?: readonly string[];
}

/** A server's content, and the load on it. */
export interface Prepared {
  /** Data directory; a new one by default. */
  readonly docs?: string;
  fill(lectern: Lectern): Promise<void>;
  readonly loads: readonly Load[];
}

/** Missing pages of an ordinary site and of hostile ones. */
async function missing(): Promise<Prepared> {
  const page = (index: number, name: string) =>
    `reference/api/org/example/${['client', 'server', 'shared', 'tools'][index % 4]}/${['buffer', 'codec', 'pool'][index % 3]}/${name}`;
  const ordinary = range(10_000).map((index) => page(index, `RequestCacheToken${index}.html`));
  const long = range(99_000).map(
    (index) => `${'a'.repeat(200)}/${'b'.repeat(60)}${String(index).padStart(6, '0')}.html`,
  );
  const around = [
    '/* /n0/:splat',
    ...range(39).map((at) => `/n${at}/* /n${at + 1}/n/:splat`),
    ...range(10).map((at) => `/:a${at}/* /z${at}/:splat/:a${at}`),
  ].join('\n');
  const absent = (site: string, directory: string, name: string) =>
    range(500).map((index) => `${site}/${directory}/${name}${index}.html`);
  return {
    fill: async (lectern) => {
      await publish(lectern, 'ordinary-1.0-docs.zip', { 'index.html': 'x', ...filesOf(ordinary) });
      await publish(lectern, 'long-1.0-docs.zip', filesOf(long));
      for (const label of range(14)) {
        await publish(lectern, `around-${label + 1}.0-docs.zip`, { 'index.html': 'x', _redirects: around });
      }
    },
    loads: [
      {
        what: 'missing pages of 10,000 ordinary ones',
        paths: range(500).map((index) => `/ordinary-1.0/${page(index, `RequestCacheTokens${index}.html`)}`),
      },
      {
        what: 'moved directories of 10,000 pages',
        paths: absent('/ordinary-1.0', 'manual', 'RequestCacheToken'),
      },
      {
        what: 'missing pages of 99,000 long names',
        paths: absent('/long-1.0', `${'a'.repeat(199)}x`, 'b'.repeat(60)),
      },
      {
        what: 'suggestions among 99,000 long names',
        connections: 32,
        paths: absent('/-/suggest/long-1.0', 'a'.repeat(200), `${'b'.repeat(60)}x`),
      },
      { what: 'redirects that lead on and on', paths: absent('/around-1.0', 'old', 'page') },
    ],
  };
}

/** Searches that take long. */
async function search(): Promise<Prepared> {
  const repeated = `<title>t</title><body><p>${'a '.repeat(195_000)} zorp b`;
  const words = range(3_000).map((index) => `w${index.toString(36)}`);
  const wordy = (number: number) =>
    `<title>zorp ${number}</title><p>zorp quux ж ${range(70_000)
      .map((index) => words[(index * 7 + number) % 3_000])
      .join(' ')}`;
  const spelled = (number: number) =>
    `<title>s</title><body>${range(800)
      .map(
        (at) =>
          `<h2 id=h${at}>${range(25)
            .map((word) => `qwertzuiopas${code(number * 20_000 + at * 25 + word)}`)
            .join(' ')}</h2>`,
      )
      .join('')}`;
  return {
    fill: async (lectern) => {
      await publish(lectern, 'hello-1.0-docs.zip', { 'index.html': '<title>hello</title><p>hello reader' });
      await publish(
        lectern,
        'repeated-1.0-docs.zip',
        pagesOf(160, () => repeated),
      );
      await publish(lectern, 'wordy-1.0-docs.zip', pagesOf(200, wordy));
      await publish(lectern, 'spelled-1.0-docs.zip', pagesOf(10, spelled));
      await untilIndexed(lectern.origin);
    },
    loads: [
      {
        what: 'phrases',
        connections: 4,
        paths: [`/api/search?q=%22${'a+'.repeat(97)}b%22`],
        innocents: ['/api/search?q=hello'],
      },
      {
        what: 'many long pages',
        connections: 4,
        paths: ['/api/search?q=%22zorp+quux%22&limit=2', '/api/search?q=zorp&limit=20&offset=180'],
        innocents: ['/api/search?q=hello'],
      },
      {
        what: 'mistyped words',
        connections: 4,
        paths: [
          `/api/search?q=${range(11)
            .map((index) => `qwertzuiop${123_456 + index}`)
            .join('+')}`,
        ],
        innocents: ['/api/search?q=hello'],
      },
    ],
  };
}

/** Lists of a large library, and all else that grows with it. */
async function listing(): Promise<Prepared> {
  const docs = join(temporaryDirectory('waiting'), 'docs');
  writeLibrary(docs, 5_000, 40, (project) => ({
    group: `Group ${project % 50}`,
    tags: [`tag-${project % 200}`],
  }));
  const of = (path: (name: string) => string) => range(200).map((index) => path(projectName(index)));
  return {
    docs,
    fill: async () => {},
    loads: [
      { what: 'the index', paths: ['/'], headers: GZIP },
      {
        what: 'the index, other orders',
        paths: ['/?sort=newest', '/?sort=group', '/?sort=name'],
        headers: GZIP,
      },
      {
        what: 'the index of a group',
        paths: range(50).map((index) => `/?group=Group+${index}`),
        headers: GZIP,
      },
      { what: 'the index of a tag', paths: range(50).map((index) => `/?tag=tag-${index}`), headers: GZIP },
      {
        what: 'searches on the index',
        paths: range(100).map((index) => `/?search=project+${index}`),
        headers: GZIP,
      },
      { what: 'searches that find all', paths: ['/?search=p', '/?search=sentence+is+for'], headers: GZIP },
      { what: 'all projects as JSON', paths: ['/api/projects'], headers: GZIP },
      {
        what: 'all projects found as JSON',
        paths: ['/api/projects?search=p', '/api/projects?search=project'],
        headers: GZIP,
      },
      {
        what: 'projects of a group as JSON',
        paths: range(50).map((index) => `/api/projects?group=Group+${index}`),
        headers: GZIP,
      },
      { what: 'the map of sitemaps', paths: ['/sitemap.xml'], headers: GZIP },
      { what: 'sitemaps', paths: of((name) => `/sitemap.xml?project=${name}`) },
      { what: 'pages of projects', paths: of((name) => `/-/projects/${name}`) },
      {
        what: 'lists of versions',
        paths: of((name) => `/-/projects/${name}/versions.json?format=readthedocs`),
      },
      { what: 'data of the switcher', paths: of((name) => `/-/switcher/${name}-1.0.0.json`) },
      { what: 'badges', paths: of((name) => `/-/badge/${name}.svg`) },
      { what: 'ways to versions', paths: of((name) => `/-/go/${name}-1.0.0/a/b/c.html`) },
      { what: 'missing projects', paths: of((name) => `/${name}x-1.0/`) },
      { what: 'missing versions', paths: of((name) => `/${name}-9.9/a.html`) },
      { what: 'pages of previews, and API of one project', paths: of((name) => `/api/projects/${name}`) },
      {
        what: 'many ETags',
        paths: of((name) => `/${name}-1.0.0/index.html`),
        headers: {
          'If-None-Match': range(1_500)
            .map((index) => `"${index}"`)
            .join(','),
        },
      },
      {
        what: 'many ranges',
        paths: of((name) => `/${name}-1.0.0/index.html`),
        headers: {
          Range: `bytes=${range(1_500)
            .map((index) => `${index}-${index}`)
            .join(',')}`,
        },
      },
      {
        what: 'many encodings',
        paths: ['/'],
        headers: {
          'Accept-Encoding': range(1_500)
            .map((index) => `x${index};q=0.5`)
            .join(','),
        },
      },
      {
        what: 'many accepted types',
        paths: of((name) => `/-/go/${name}-1.0.0/a.html`),
        headers: {
          Accept: range(1_500)
            .map((index) => `a/x${index};q=0.5`)
            .join(','),
        },
      },
    ],
  };
}

const GZIP = { 'Accept-Encoding': 'gzip' };

/** Pages that agents read from the section that answers their question best. */
async function agents(): Promise<Prepared> {
  const section = (index: number) =>
    `<h2 id="s${index}">Option ${index}</h2><p>${'The kettle boils water until the whistle says that it is done. '.repeat(10)}`;
  const calls = (path: (index: number) => string) =>
    range(100).map((index) => {
      const query = `q${index} heading option whistle of the kettle`;
      const params = { name: 'read_page', arguments: { project: 'manual', path: path(index), query } };
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    });
  const load = {
    paths: ['/-/mcp'],
    connections: 8,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  };
  return {
    fill: async (lectern) => {
      await publish(lectern, 'manual-1.0-docs.zip', {
        'index.html': 'x',
        'long.html': `<title>Manual</title><main>${range(620).map(section).join('')}`,
        'headings.html': `<main>${'<h2 id=x>x</h2>'.repeat(380_000)}`,
        ...pagesOf(24, () => `<title>p</title><main>${'<p>x'.repeat(398_000)}`),
      });
    },
    loads: [
      { ...load, what: 'a page of 400 KB with a question', bodies: calls(() => 'long.html') },
      { ...load, what: 'a page of 380,000 headings with a question', bodies: calls(() => 'headings.html') },
      {
        ...load,
        what: 'pages of 398,000 paragraphs with a question',
        bodies: calls((index) => `page-${index % 24}.html`),
      },
    ],
  };
}

export const LOADS: Readonly<Record<string, () => Promise<Prepared>>> = { missing, search, listing, agents };

const range = (count: number) => [...Array(count).keys()];
const filesOf = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, '<title>x</title>']));
const pagesOf = (count: number, text: (index: number) => string) =>
  Object.fromEntries(range(count).map((index) => [`page-${index}.html`, text(index)]));

/** Four letters for a number. */
function code(number: number): string {
  return [3, 2, 1, 0].map((at) => String.fromCharCode(97 + (Math.floor(number / 26 ** at) % 26))).join('');
}

async function publish(
  lectern: Lectern,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const home = temporaryDirectory('waiting-site');
  const site = join(home, 'site');
  for (const [path, text] of Object.entries(files)) {
    const file = join(site, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const archive = join(home, 'site.zip');
  await run('zip', ['-q', '-r', '-1', archive, '.'], site);
  await lectern.publish({ name, archive });
}
