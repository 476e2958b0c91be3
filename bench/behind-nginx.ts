/** Lectern behind nginx with `deploy/nginx/lectern.conf`, compared with nginx alone and with Lectern alone. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLectern } from './support/lectern.js';
import { CORES, requirePrograms } from './support/machine.js';
import { alternating } from './support/numbers.js';
import { startNginx, startNginxBefore } from './support/peers.js';
import { processorTimeOf, type Running, run } from './support/processes.js';
import { progress, ROUNDS, SECONDS, whenRunAlone } from './support/script.js';
import { type Figures, type Row, ratioRow, type Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';
import { load, microsOf, ratesOf } from './support/wrk.js';

const PAGE = Buffer.from('<p>A page of about six kilobytes.</p>\n'.repeat(160));
const BIG = randomBytes(20_000_000);

interface Asked {
  readonly what: string;
  readonly path: string;
  readonly bytes: number;
  /** Path of the same file in nginx alone. */
  readonly alone: string;
}

const ASKED: readonly Asked[] = [
  { what: '6 KB page', path: '/tool-1.0/page.html', bytes: PAGE.length, alone: '/page.html' },
  { what: '6 KB page of latest', path: '/tool-latest/page.html', bytes: PAGE.length, alone: '/page.html' },
  { what: '20 MB file of latest', path: '/tool-latest/big.bin', bytes: BIG.length, alone: '/big.bin' },
];

export async function behindNginx(): Promise<Section> {
  requirePrograms('wrk', 'nginx', 'taskset', 'zip');
  const root = join(temporaryDirectory('site'), 'site');
  mkdirSync(root);
  writeFileSync(join(root, 'index.html'), PAGE);
  writeFileSync(join(root, 'page.html'), PAGE);
  writeFileSync(join(root, 'big.bin'), BIG);
  const archive = join(root, '../tool-1.0-docs.zip');
  await run('zip', ['-0', '-q', '-r', archive, '.'], root);
  const args = ['--trust-proxy', '--accel-redirect', '/-/files/'];
  const alone = await startLectern({ cores: CORES.server });
  await alone.publish({ name: 'tool-1.0-docs.zip', archive });
  const behind = await startLectern({ cores: CORES.server, docs: alone.docs, args });
  const servers = {
    both: await startNginxBefore(behind, CORES.server),
    nginx: await startNginx(root, CORES.server),
    lectern: alone,
  };
  const rows: Row[] = [];
  for (const asked of ASKED) {
    progress(`behind nginx: ${asked.what}`);
    const measure =
      ({ origin, pid }: Running, path: string) =>
      async () => {
        const before = processorTimeOf(behind.pid);
        const result = await load({ origin, pid, paths: [path], bodyBytes: asked.bytes, seconds: SECONDS });
        return { ...result, behindMs: processorTimeOf(behind.pid) - before };
      };
    const results = await alternating(ROUNDS, {
      both: measure(servers.both, asked.path),
      nginx: measure(servers.nginx, asked.alone),
      lectern: measure(servers.lectern, asked.path),
    });
    rows.push(
      ratioRow(
        {
          ...{ what: `${asked.what}, processor time of nginx`, against: 'nginx alone', unit: 'µs' },
          ...(asked.bytes === PAGE.length ? { target: { atMost: 1.25 } } : {}),
        },
        microsOf(results.both),
        microsOf(results.nginx),
      ),
    );
    const own: Figures[] = [
      { what: 'rate', unit: '/s', values: ratesOf(results.both) },
      {
        what: 'processor time of both',
        unit: 'µs',
        values: results.both.map(
          (each) => each.microsEach + (1_000 * each.behindMs) / (each.perSecond * SECONDS),
        ),
      },
    ];
    for (const against of ['nginx', 'lectern'] as const) {
      const names = { what: asked.what, against: `${against} alone`, unit: '/s', own } as const;
      rows.push(ratioRow(names, ratesOf(results.both), ratesOf(results[against])));
    }
  }
  for (const server of [...Object.values(servers), behind]) await server.stop();
  return {
    title: 'Behind nginx',
    note: `Requests per second of nginx and Lectern together, against each alone; all servers on one core, the load on the other, ${ROUNDS} alternating rounds of ${SECONDS} s.`,
    rows,
  };
}

await whenRunAlone(import.meta.url, behindNginx);
