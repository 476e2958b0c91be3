import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { LogFile } from '../../src/adapters/cli/logger.js';
import { until } from '../support/until.js';

it('reports once that a log file that dropped lines is writable again, and how many lines are missing', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'lectern-log-file-'));
  t.after(() => rm(place, { recursive: true }));
  const path = join(place, 'a.log');
  const reports: object[] = [];
  const file = await LogFile.open(path, (message, fields) => reports.push({ message, ...fields }));
  const line = `${'x'.repeat(1_023)}\n`;
  // Nothing reaches the disk during this loop: lines that do not fit into the buffer are dropped.
  for (let n = 0; n < 1_500; n += 1) file.write(line);
  const isWritten = async (bytes: number) => (await readFile(path)).length === bytes;
  await until(() => isWritten(1_024 * 1_024));
  // Lines go one after the other: until the file knows that the disk has the earlier ones, it has room for only one more.
  for (const lines of [1_025, 1_026, 1_027]) {
    file.write(line);
    await until(() => isWritten(lines * 1_024));
  }
  await file.close();
  assert.deepEqual(reports, [
    { message: 'the log file is writable again', file: path, linesLost: 1_500 - 1_024 },
  ]);
});
