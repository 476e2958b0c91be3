/**
 * Pages of private projects (`--access`): processor time of a page for a token and for a person, compared with that of a public
 * page that is not in memory; and of public pages in memory with and without rules.
 *
 *     node --import tsx bench/private-pages.ts
 */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipOf } from '../test/support/zip-writer.js';
import { startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating } from './support/numbers.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import { type Row, ratioRow, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';
import { figuresOf, load, microsOf } from './support/wrk.js';

const PAGES = 300;
const BYTES = 6_000;
/** A rule for the project, and as many for others as a company with many teams has. */
const RULES = {
  default: 'public',
  projects: {
    'private-*': { groups: ['team'] },
    ...Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`team-${index}-*`, { groups: [`team-${index}`] }]),
    ),
  },
};
const TOKEN = { 'X-Token': 'measured' };
const PERSON = { 'X-User': 'ann@example.org', 'X-Groups': 'staff,team,team-7' };

export async function privatePages(): Promise<Section> {
  requirePrograms('wrk', 'taskset');
  progress('private pages');
  const file = join(temporaryDirectory('access'), 'access.json');
  writeFileSync(file, JSON.stringify(RULES));
  const withRules = [
    ...['--access', file, '--auth-user-header', 'X-User', '--auth-groups-header', 'X-Groups'],
    ...['--trusted-proxies', '127.0.0.1,::1', '--allow-shared-origin'],
  ];
  const servers = {
    forgetful: await startLectern({ cores: CORES.server, args: [...withRules, '--cache-size', '1'] }),
    keeping: await startLectern({ cores: CORES.server, args: withRules }),
    plain: await startLectern({ cores: CORES.server }),
  };
  const names = Array.from({ length: PAGES }, (_, index) => `page-${index}.html`);
  const text = () => randomBytes(BYTES / 2).toString('hex');
  const archive = join(temporaryDirectory('sites'), 'site.zip');
  writeFileSync(
    archive,
    zipOf(Object.fromEntries(names.map((name) => [name, `<!doctype html><p>${text()}</p>`]))),
  );
  for (const server of Object.values(servers)) {
    for (const project of ['public-docs', 'private-docs']) {
      await server.publish({ name: `${project}-1.0-docs.zip`, archive });
    }
  }
  const pathsOf = (project: string) => names.map((name) => `/${project}-1.0/${name}`);
  const asking = (
    { origin, pid }: { readonly origin: string; readonly pid: number },
    project: string,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    return () => load({ origin, pid, seconds: SECONDS, paths: pathsOf(project), headers });
  };
  const contenders = {
    public: asking(servers.forgetful, 'public-docs'),
    token: asking(servers.forgetful, 'private-docs', TOKEN),
    person: asking(servers.forgetful, 'private-docs', PERSON),
    kept: asking(servers.keeping, 'public-docs'),
    'kept, for a person': asking(servers.keeping, 'public-docs', PERSON),
    plain: asking(servers.plain, 'public-docs'),
  };
  for (const once of Object.values(contenders)) await once();
  const measured = await alternating(2 * ROUNDS, contenders);
  for (const server of Object.values(servers)) await server.stop();
  const compared = (
    what: string,
    name: keyof typeof contenders,
    against: keyof typeof contenders,
    target?: Row['target'],
  ): Row =>
    ratioRow(
      { what, against, unit: 'µs', target, own: figuresOf(measured[name]) },
      microsOf(measured[name]),
      microsOf(measured[against]),
    );
  return {
    title: 'Private pages',
    note: `Processor time for each request: below 1 × is less. ${PAGES} pages of ${BYTES / 1_000} KB, 201 rules; "public" is a public page that is not in memory, "plain" a server without rules.`,
    rows: [
      compared('a private page, for a token', 'token', 'public', { atMost: 1.2 }),
      compared('a private page, for a person', 'person', 'public', { atMost: 1.2 }),
      compared('a public page in memory, with rules', 'kept', 'plain'),
      compared('the same for a person', 'kept, for a person', 'plain'),
    ],
  };
}

await whenRunAlone(import.meta.url, privatePages);
