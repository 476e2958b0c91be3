/**
 * Judges the tools of /-/mcp by questions as coding agents pose them, over 23 projects of Debian's packages, most of them in two
 * versions. Each question is asked by the official client, with its version: `search_docs`, and where that lacks the answer, one
 * `read_page` of the page that comes first. Fails when fewer are answered than `FLOORS`, or by another version.
 *
 *     node --import tsx test/judged/questions.ts [project …]
 *
 * The sites (5 GB) and their indexes are kept in .corpus/questions.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { plain } from './plain-markdown.js';
import { ASKED_SITES, type AskedSite } from './questions-sites.js';
import { unpacked } from './unpack.js';

interface Question {
  readonly project: string;
  readonly version: string;
  readonly question: string;
  /** Path of the page that answers. */
  readonly page: string;
  /** A text that the answer has to contain. */
  readonly answer: string;
}

/** Shares of the questions, and max. tokens (four characters each) of a call and on average. */
const FLOORS = { inSearch: 0.75, withOneRead: 0.86, inFive: 0.92 };
const MAX_TOKENS = { ofCall: 4_000, onAverage: 2_000 };
const CHARACTERS_PER_TOKEN = 4;

const asked = process.argv.slice(2);
const isAsked = ({ project }: { readonly project: string }) => asked.length === 0 || asked.includes(project);
const questions = (
  JSON.parse(readFileSync(join(ROOT, 'test/judged/questions.json'), 'utf8')) as readonly Question[]
).filter(isAsked);
const home = join(ROOT, '.corpus', 'questions');
for (const site of ASKED_SITES.filter(isAsked)) await publish(site);

const server = await TestServer.start({
  docs: join(home, 'docs'),
  withTokens: false,
  search: new SqliteSearchIndex({ fileOf: (revision) => join(home, 'indexes', revision) }),
});
const client = new Client({ name: 'judge', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL('/-/mcp', server.url)));
const verdicts: Verdict[] = [];
try {
  for (const question of questions) verdicts.push(await judge(question));
} finally {
  await client.close();
  await server.close();
}

const share = (isRight: (verdict: Verdict) => boolean) => verdicts.filter(isRight).length / verdicts.length;
const tokens = verdicts.map(({ sizes }) => sizes.map((size) => Math.ceil(size / CHARACTERS_PER_TOKEN)));
const average = tokens.flat().reduce((sum, each) => sum + each, 0) / verdicts.length;
const most = Math.max(...tokens.flat());
const shares = {
  inSearch: share(({ isInSearch }) => isInSearch),
  withOneRead: share(({ isInSearch, isInPage }) => isInSearch || isInPage),
  inFive: share(({ isInFive }) => isInFive),
};
for (const [name, floor] of Object.entries(FLOORS)) {
  const reached = shares[name as keyof typeof shares];
  console.log(`${name}: ${(reached * 100).toFixed(1)} %, at least ${floor * 100} %`);
  if (reached < floor) process.exitCode = 1;
}
console.log(`tokens: ${most} of a call at most, ${Math.round(average)} for a question on average`);
if (most > MAX_TOKENS.ofCall || average > MAX_TOKENS.onAverage) process.exitCode = 1;
for (const { question, isInSearch, isInPage, isInFive, isOfVersion } of verdicts) {
  if (!isOfVersion) process.exitCode = 1;
  if (isInSearch && isInFive && isOfVersion) continue;
  const notes = [
    isOfVersion ? '' : 'another version',
    isInSearch ? '' : isInPage ? 'answered by read_page' : 'not answered',
    isInFive ? '' : 'page not in five',
  ].filter((note) => note !== '');
  console.log(`  ${question.project} ${question.version}, ${question.question}: ${notes.join(', ')}`);
}

/** How one question was answered. */
interface Verdict {
  readonly question: Question;
  readonly isInSearch: boolean;
  readonly isInPage: boolean;
  readonly isInFive: boolean;
  readonly isOfVersion: boolean;
  /** Characters of each answer. */
  readonly sizes: readonly number[];
}

async function judge(question: Question): Promise<Verdict> {
  const { project, version, answer, page } = question;
  const place = { project, version, query: question.question };
  let found = await call('search_docs', place);
  // The first time, each site is read.
  while (found.includes('being indexed')) found = await call('search_docs', place);
  const paths = Array.from(found.matchAll(/^\[([^\s\]#]+)(?:#[^\]]*)?\] /gm), ([, path = '']) => path);
  const isInFive = paths.includes(page);
  const isInSearch = plain(found).includes(plain(answer));
  const ofVersion = (text: string) => text.includes(`${project} ${version}`);
  const [first] = paths;
  if (isInSearch || first === undefined) {
    return {
      question,
      isInSearch,
      isInPage: false,
      isInFive,
      isOfVersion: ofVersion(found),
      sizes: [found.length],
    };
  }
  const read = await call('read_page', { ...place, path: first });
  const isInPage = plain(read).includes(plain(answer));
  const sizes = [found.length, read.length];
  return {
    question,
    isInSearch,
    isInPage,
    isInFive,
    isOfVersion: ofVersion(found) && ofVersion(read),
    sizes,
  };
}

async function call(name: string, given: Readonly<Record<string, string>>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given });
  return (content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n');
}

/** Copies a site into the directory of the server, unless it is there. */
async function publish(site: AskedSite): Promise<void> {
  const to = join(home, 'docs', `${site.project}-${site.version}`);
  if (existsSync(to)) return;
  const from = await unpacked(site);
  const coming = join(home, 'coming');
  rmSync(coming, { recursive: true, force: true });
  cpSync(from, coming, { recursive: true, dereference: true, filter: (path) => existsSync(path) });
  mkdirSync(join(home, 'docs'), { recursive: true });
  renameSync(coming, to);
}
