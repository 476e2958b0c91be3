/** A server with nothing to do: how soon it is there, and what it costs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startLectern } from './support/lectern.js';
import { requirePrograms } from './support/machine.js';
import { alternating, ratios } from './support/numbers.js';
import { memoryOf, sleepsOf, startServer } from './support/processes.js';
import { ask } from './support/requests.js';
import { progress, ROUNDS, SETTLING_MS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';

const STARTS = Math.max(5, ROUNDS);
/** The longest interval at which a server does something by itself, so that each of its timers counts. */
const WATCHED_MS = 30_000;
const EMPTY_SERVER =
  "const s = require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + s.address().port))";

export async function start(): Promise<Section> {
  requirePrograms();
  progress('start: an empty directory');
  const { lectern, node } = await alternating(STARTS, {
    lectern: async () => {
      const running = await startLectern({ logLevel: 'info' });
      const { status } = await ask(`${running.origin}/`);
      if (status !== 200) throw new Error(`the first answer has status ${status}`);
      await running.stop();
      return running.readyMs;
    },
    node: async () => {
      const running = await startServer({ program: process.execPath, args: ['-e', EMPTY_SERVER] });
      await running.stop();
      return running.readyMs;
    },
  });
  progress('start: an idle process');
  const idle = await startLectern({ logLevel: 'info' });
  await sleep(SETTLING_MS);
  const before = sleepsOf(idle.pid);
  await sleep(WATCHED_MS);
  const wakeUps = (sleepsOf(idle.pid) - before) / (WATCHED_MS / 1000);
  const memory = memoryOf(idle.pid).now;
  await idle.stop();
  return {
    title: 'Start',
    note: `An empty docs directory, ${STARTS} starts; the last process is left alone for ${SETTLING_MS / 1000} s, then watched for ${WATCHED_MS / 1000} s.`,
    rows: [
      { what: 'start to ready', against: '', unit: 'ms', values: lectern, target: { atMost: 500 } },
      {
        what: 'start to ready',
        against: 'node with an empty server',
        unit: '×',
        values: ratios(lectern, node),
      },
      { what: 'idle memory', against: '', unit: 'MB', values: [memory], target: { atMost: 95 } },
      {
        what: 'wake-ups of all its threads',
        against: '',
        unit: '/s',
        values: [wakeUps],
        target: { atMost: 1 },
      },
    ],
  };
}

await whenRunAlone(import.meta.url, start);
