import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programBeside } from '../support/program-beside.js';

/** Number of lines that each of two processes reports as recorded before it is killed. */
const LINES = Number(process.env.AUDIT_LINES ?? 400);
const ROUNDS = Number(process.env.AUDIT_ROUNDS ?? 4);

describe('The audit log, when two processes that write it are killed,', () => {
  it('has every acknowledged line, once, and no torn line', async (t) => {
    const place = await mkdtemp(join(tmpdir(), 'lectern-audit-'));
    t.after(() => rm(place, { recursive: true }));
    const path = join(place, 'audit.jsonl');
    const said = new Set<string>();
    const untilKilled = async (name: string) => {
      const child = spawn(
        process.execPath,
        [...process.execArgv, programBeside(import.meta.url, 'audit-until-killed'), path, name],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let out = '';
      let lines = 0;
      child.stdout.on('data', (chunk) => {
        out += String(chunk);
        lines += String(chunk).split('\n').length - 1;
        if (lines >= LINES) child.kill('SIGKILL');
      });
      const [, signal] = await once(child, 'close');
      assert.equal(signal, 'SIGKILL');
      // The text after the last line break is a line that was cut short.
      for (const version of out.split('\n').slice(0, -1)) said.add(version);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([untilKilled(`${round}a`), untilKilled(`${round}b`)]);
    }
    const text = await readFile(path, 'utf8');
    assert.ok(text.endsWith('\n'));
    const found = new Set<string>();
    for (const line of text.trimEnd().split('\n')) {
      const { version, action } = JSON.parse(line);
      if (action === 'open') continue;
      assert.ok(!found.has(version), version);
      found.add(version);
    }
    const missing = [...said].filter((version) => !found.has(version));
    assert.deepEqual(missing, []);
    assert.ok(said.size >= LINES * ROUNDS * 2);
    t.diagnostic(`${said.size} acknowledged, ${found.size} found`);
  });
});
