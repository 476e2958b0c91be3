/**
 * Judges what agents get by AFDocs (agentdocsspec.com), an outside judge from npm, on five sites of Debian's packages. Fails
 * when a site has fewer than 90 of 100 points, or fails a check that is not named here with its reason.
 *
 *     node --import tsx test/judged/agents.ts [project …]
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.js';
import { TestServer } from '../support/server.js';
import { JUDGED_SITES } from './sites.js';
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

const asked = process.argv.slice(2);
const docs = mkdtempSync(join(tmpdir(), 'lectern-agents-'));
const port = await freePort();
const projects = asked.length > 0 ? asked : SITES;
for (const site of JUDGED_SITES.filter(({ project }) => projects.includes(project))) {
  const to = join(docs, `${site.project}-1.0`);
  cpSync(await unpacked(site), to, {
    recursive: true,
    dereference: true,
    filter: (path) => existsSync(path),
  });
}
const server = await TestServer.start({ docs, port, origin: `http://127.0.0.1:${port}`, withTokens: false });
try {
  for (const project of projects) {
    const { results, scoring } = await verdictOn(`${server.url}/${project}-1.0/`);
    console.log(`${project}: ${scoring.overall} of 100`);
    if (scoring.overall < MIN_SCORE) process.exitCode = 1;
    for (const { id, message } of results.filter(({ status }) => status === 'fail')) {
      const reason = FAILING[id];
      console.log(`  ${id}: ${message}${reason === undefined ? '' : ` (${reason})`}`);
      if (reason === undefined) process.exitCode = 1;
    }
  }
} finally {
  await server.close();
  rmSync(docs, { recursive: true, force: true });
}

async function verdictOn(address: string): Promise<Verdict> {
  const options = ['--format', 'json', '--score', '--request-delay', '0'];
  const run = promisify(execFile)('npx', [...AFDOCS, address, ...options], { maxBuffer: 100_000_000 });
  // It ends with 1 where a check fails.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}
