import type { SearchIndex, UsageStore } from '../../src/application/index.js';
import { dayOf } from '../../src/domain/index.js';
import { withPrivate } from './private-projects.js';
import { TestServer } from './server.js';

/** Addresses of Lectern's own pages on the server of `startWithPages`, by what they show. */
export const OWN_PAGES: Readonly<Record<string, string>> = {
  'the index': '/',
  'the index of a search': '/?search=sample',
  'the index of an owner': '/?owner=Team+Blue',
  'a search that found pages': '/-/search?q=front',
  'a search that found nothing': '/-/search?q=quittenmarmelade',
  'the table of projects': '/-/projects?sort=size&owner=Team+Blue',
  'a project': '/-/projects/sample',
  'a project with many versions': '/-/projects/many',
  usage: '/-/projects/sample/usage',
  'a comparison': '/-/compare/sample/1.0/2.0',
  'a compared page': '/-/compare/sample/1.0/2.0/guide.html',
  'a compared page, beside the page': '/-/compare/sample/1.0/2.0/guide.html?view=page',
  'the links of a version': '/-/check/sample/2.0',
  'the upload page': '/-/upload',
  'the page to manage a project': '/-/manage/sample',
  'the API reference': '/-/api',
  'the help': '/help',
  'the help for publishing': '/-/help/publish',
  'the files of a site without a front page': '/sample-0.1/',
  'a missing page': '/sample-2.0/gide.html',
  'a missing version': '/sample-9.9/guide.html',
  'a missing project': '/smple-1.0/',
  'a project that not everybody may see': '/vault-1.0/',
  'a missing page of the server': '/-/nothing',
};

const DOCINFO = JSON.stringify({
  name: 'Sample',
  description: 'What it is for, in a sentence.',
  group: 'Tools',
  tags: ['sdk', 'python'],
  owner: 'Team Blue',
  repository: 'https://git.example.org/sample',
  contact: 'blue@example.org',
});

/** A site whose guide differs from version to version, in a sentence and in code. */
const siteOf = (version: string) => ({
  'index.html': `<title>front</title><main><h1>Front</h1><p>${'What the front page says. '.repeat(4)}</p></main>`,
  'guide.html': `<title>guide</title><main><h1 id="guide">Guide</h1><p>How ${version} is used.</p>${'<p>The same.</p>'.repeat(9)}<a href="gide.html">Guide</a> <a href="#Guide">Guide</a><pre>def run():\n    return "${version}, ${'a long line '.repeat(20)}"</pre></main>`,
  [`only-in-${version}.html`]: '<title>only</title><main><h1>Only here</h1></main>',
  'docinfo.json': DOCINFO,
});

/** Starts a server on which every page of its own has something to show. */
export async function startWithPages(search: SearchIndex, usage: UsageStore): Promise<TestServer> {
  const server = await TestServer.start({
    ...withPrivate(),
    search,
    usage,
    keepRemovedMs: 7 * 24 * 60 * 60 * 1_000,
  });
  for (const major of [1, 2, 3]) {
    for (const minor of [0, 1, 2, 3, 4, 5, 6, '7rc1']) await server.upload(`many-${major}.${minor}-docs.zip`);
  }
  await server.upload('sample-0.1-docs.zip', { 'notes.txt': 'no front page', 'a/b.txt': 'b' });
  for (const version of ['1.0', '2.0', '3.0rc1'])
    await server.upload(`sample-${version}-docs.zip`, siteOf(version));
  await server.upload('sample~pr-1-docs.zip', siteOf('pr-1'));
  await server.upload('vault-1.0-docs.zip');
  await set(server, 'aliases/sample/stable', { target: '1.0' });
  await set(server, 'deprecated/sample/1.0', { message: 'Use 2.0.' });
  await set(server, 'retention/sample', { keep_pre_releases: 5 });
  const day = dayOf(new Date());
  const reads = { total: 9, paths: new Map([['guide.html', 9]]) };
  const agents = { total: 1, paths: new Map([['guide.html', 1]]) };
  const misses = {
    total: 3,
    paths: new Map([
      ['gide.html', 2],
      ['style.css', 1],
    ]),
  };
  await usage.write({ project: 'sample', day, writer: 'one' }, new Map([['2.0', { reads, agents, misses }]]));
  await server.isIndexed();
  return server;
}

async function set(server: TestServer, path: string, body: object): Promise<void> {
  const headers = { 'X-Token': 'secret-admin', 'Content-Type': 'application/json' };
  const response = await server.fetch(`/api/${path}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}
