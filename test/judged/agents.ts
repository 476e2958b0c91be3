/**
 * Judges what agents get by AFDocs (agentdocsspec.com), an outside judge from npm, on five sites of Debian's packages: from Lectern itself, and
 * behind nginx with `deploy/nginx/lectern.conf`. Fails when a site has fewer than 90 of 100 points, or fails a check that is not named here
 * with its reason.
 *
 *     node --import tsx test/judged/agents.ts [project …]
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.js';
import { startNginx } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import { JUDGED_SITES, type JudgedSite } from './sites.js';
import { unpacked } from './unpack.js';

const MIN_SCORE = 90;
const SITES = ['flask', 'git', 'mkdocs', 'openjdk', 'postgres'];
/** AFDocs needs Node 22; it is fetched for each run, since nothing else needs it. */
const AFDOCS = ['-y', '-p', 'node@24', '-p', 'afdocs@0.22', 'afdocs', 'check'];

/** Checks that may fail, and why. */
const FAILING: Readonly<Record<string, string>> = {
  'llms-txt-directive-html': 'pages are sent as they were uploaded: a header names the list instead',
  'markdown-link-portability': 'links are relative, as in the page',
  'page-size-markdown': 'the page itself is long; X-Markdown-Tokens says so',
  'page-size-html': 'the page itself is long',
  'content-start-position': 'the HTML has menus in front, as it was uploaded',
  'redirect-behavior': 'the page redirects by a script, as it was uploaded',
};

interface Verdict {
  readonly results: readonly { readonly id: string; readonly status: string; readonly message: string }[];
  readonly scoring: { readonly overall: number };
}

const run = promisify(execFile);
const asked = process.argv.slice(2);
const projects = asked.length > 0 ? asked : SITES;
const home = mkdtempSync(join(tmpdir(), 'lectern-agents-'));
const docs = join(home, 'docs');
const port = await freePort();
/** With the address that readers have, which is in what agents get. */
const serving = (origin: string) =>
  TestServer.start({ docs, port, origin, trustProxy: true, accelRedirect: '/-/files/' });
try {
  const own = `http://127.0.0.1:${port}`;
  const direct = await serving(own);
  const nginx = await startNginx(docs, own);
  for (const site of JUDGED_SITES.filter(({ project }) => projects.includes(project)))
    await publish(site, direct);
  await judgeAll('direct', own);
  await direct.close();
  const behind = await serving(nginx.url);
  await judgeAll('behind nginx', nginx.url);
  await behind.close();
  await nginx.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Uploads a site as version 1.0. */
async function publish(site: JudgedSite, server: TestServer): Promise<void> {
  const files = join(home, site.project);
  const zip = `${files}.zip`;
  const filter = (path: string) => existsSync(path);
  cpSync(await unpacked(site), files, { recursive: true, dereference: true, filter });
  await run('zip', ['-q', '-X', '-r', zip, '.'], { cwd: files });
  const { status } = await server.upload(`${site.project}-1.0-docs.zip`, readFileSync(zip));
  if (status !== 201) throw new Error(`${site.project} is not published: ${status}`);
}

async function judgeAll(where: string, url: string): Promise<void> {
  for (const project of projects) {
    const { results, scoring } = await verdictOn(`${url}/${project}-1.0/`);
    console.log(`${project}, ${where}: ${scoring.overall} of 100`);
    if (scoring.overall < MIN_SCORE) process.exitCode = 1;
    for (const { id, message } of results.filter(({ status }) => status === 'fail')) {
      const reason = FAILING[id];
      console.log(`  ${id}: ${message}${reason === undefined ? '' : ` (${reason})`}`);
      if (reason === undefined) process.exitCode = 1;
    }
  }
}

async function verdictOn(address: string): Promise<Verdict> {
  const options = ['--format', 'json', '--score', '--request-delay', '0'];
  const running = run('npx', [...AFDOCS, address, ...options], { maxBuffer: 100_000_000 });
  // It ends with 1 where a check fails.
  const { stdout } = await running.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}
