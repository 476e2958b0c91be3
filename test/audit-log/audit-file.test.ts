import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { AuditFile } from '../../src/adapters/audit-log/audit-file.js';
import type { AuditEntry } from '../../src/application/index.js';
import { serverActor, tokenActor } from '../../src/domain/index.js';

describe('AuditFile', () => {
  let directory: string;
  let path: string;
  let reports: string[];
  const open = (at = path) => AuditFile.open(at, (message) => reports.push(message));
  const lines = async (at = path) => {
    const text = await readFile(at, 'utf8');
    assert.ok(text === '' || text.endsWith('\n'), 'the last line is whole');
    return text.split('\n').slice(0, -1);
  };
  /** Subject of each line: the version, or the action of a line without one. */
  const subjects = async (at = path) =>
    (await lines(at)).map((line) => {
      const { version, action } = JSON.parse(line);
      return version ?? action;
    });
  const entry = (version: string, result: AuditEntry['result'] = 'ok'): AuditEntry => ({
    ...{ time: new Date(0), action: 'publish', actor: tokenActor('ci'), project: 'a', version, result },
  });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-audit-'));
    path = join(directory, 'audit.jsonl');
    reports = [];
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('creates a file readable by its owner only, and writes nothing before the first entry', async () => {
    const file = await open();
    await file.close();
    assert.deepEqual([(await stat(path)).mode & 0o777, await lines()], [0o600, []]);
  });

  it("contains a line when `write` returns, without the actor's rights", async () => {
    const file = await open();
    const actor = {
      ...tokenActor('ci/bot', { projects: ['secret-project'] }),
      ...{ maker: 'ci', request: { id: 'r1', address: '192.0.2.1' } },
    };
    await file.write({ ...entry('1.0', 'refused'), actor, error: 'version_exists', before: { sha256: 'x' } });
    const [, line = ''] = await lines();
    assert.deepEqual(JSON.parse(line), {
      time: '1970-01-01T00:00:00.000Z',
      action: 'publish',
      actor: { kind: 'token', name: 'ci/bot', maker: 'ci' },
      address: '192.0.2.1',
      project: 'a',
      version: '1.0',
      before: { sha256: 'x' },
      result: 'refused',
      error: 'version_exists',
      request_id: 'r1',
    });
    await file.close();
  });

  it('keeps each entry on one line of bounded length, whatever a name contains', async () => {
    const file = await open();
    const name = `a\n{"x":1}\u2028\ud800${'y'.repeat(100_000)}`;
    await file.write({ ...entry(name), actor: serverActor(name), after: { [name]: [name] } });
    const [, line = '', ...others] = await lines();
    assert.deepEqual(others, []);
    assert.equal(JSON.parse(line).version.slice(0, 10), name.slice(0, 10));
    await file.write({ ...entry('1'), after: { list: Array.from({ length: 1_000 }, () => name) } });
    assert.ok((await lines()).every((each) => each.length < 256 * 1024));
    await file.close();
  });

  it('starts a new line after a torn line', async () => {
    await writeFile(path, '{"whole":1}\n{"to');
    const file = await open();
    await file.write(entry('1.0'));
    const found = await lines();
    assert.deepEqual([found.slice(0, 2), found.length], [['{"whole":1}', '{"to'], 4]);
    await file.close();
  });

  it('appends after lines of another process, in order', async () => {
    const file = await open();
    await Promise.all(Array.from({ length: 100 }, (_, number) => file.write(entry(`${number}`))));
    await appendFile(path, '{"version":"other"}\n');
    await file.write(entry('last'));
    const own = Array.from({ length: 100 }, (_, number) => `${number}`);
    assert.deepEqual(await subjects(), ['open', ...own, 'other', 'last']);
    await file.close();
  });

  it('writes to a new file after being reopened, and notes there that the log continues', async () => {
    const file = await open();
    await file.write(entry('1.0'));
    await rename(path, `${path}.1`);
    await file.write(entry('1.1'));
    await file.reopen();
    await file.write(entry('1.2'));
    await file.close();
    assert.deepEqual(
      [await subjects(`${path}.1`), await subjects()],
      [
        ['open', '1.0', '1.1'],
        ['open', '1.2'],
      ],
    );
  });

  it('keeps the old file when the new one cannot be opened', async () => {
    const below = join(directory, 'below');
    await mkdir(below);
    const file = await open(join(below, 'audit.jsonl'));
    await rename(below, join(directory, 'moved'));
    await file.reopen();
    await file.assertWritable();
    await file.write(entry('1.0'));
    await file.close();
    assert.deepEqual(await subjects(join(directory, 'moved', 'audit.jsonl')), ['open', '1.0']);
    assert.deepEqual(reports, ['cannot reopen the audit log; still writing to the old file']);
  });

  it('writes to a new file after the old one, which nobody could read, is removed', async () => {
    const file = await open();
    await file.write(entry('1.0'));
    await rm(path);
    await file.assertWritable();
    await file.write(entry('1.1'));
    assert.deepEqual(await subjects(), ['open', '1.1']);
    await rm(path);
    await file.write(entry('1.2', 'refused'));
    assert.deepEqual(await subjects(), ['open', '1.2']);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await file.close();
  });

  it('refuses changes while a removed file cannot be recreated', async () => {
    const below = join(directory, 'below');
    await mkdir(below);
    const file = await open(join(below, 'audit.jsonl'));
    await file.write(entry('1.0'));
    await rm(below, { recursive: true });
    await assert.rejects(file.assertWritable(), { code: 'unavailable', message: /nothing was changed/ });
    await mkdir(below);
    await file.assertWritable();
    assert.deepEqual(await subjects(join(below, 'audit.jsonl')), ['open']);
    await file.close();
  });

  describe('An AuditFile on a FIFO', () => {
    beforeEach(() => execFileSync('mkfifo', [path]));

    it('requires a reader of the FIFO', async () => {
      await assert.rejects(open(), { code: 'ENXIO' });
    });

    it('refuses changes without waiting while the reader of the FIFO stalls', async () => {
      const reader = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const file = await open();
      await assert.rejects(
        async () => {
          // A pipe holds 64 KiB.
          for (let number = 0; number < 1_000; number += 1) await file.write(entry(`${number}`, 'refused'));
        },
        { code: 'unavailable' },
      );
      await reader.read(Buffer.alloc(65_536));
      await file.assertWritable();
      await reader.close();
      await assert.rejects(file.write(entry('last', 'refused')), { code: 'unavailable' });
      await file.close();
    });
  });

  it('refuses a change in advance when nothing can be written, and reports it once', async () => {
    const file = await open('/dev/full');
    for (const _ of [1, 2]) {
      await assert.rejects(file.assertWritable(), { code: 'unavailable', message: /nothing was changed/ });
    }
    assert.equal(file.isFaulty, true);
    await assert.rejects(file.write(entry('1.0', 'refused')), { code: 'unavailable' });
    assert.deepEqual(reports, ['cannot write the audit log; changes are refused until it is writable again']);
    await file.close();
  });

  it('writes the line of a completed change as soon as writing works again, before any other line', async (t) => {
    const file = await open();
    await file.assertWritable();
    const { file: handle } = file as unknown as { readonly file: { write(...given: unknown[]): unknown } };
    const write = handle.write.bind(handle);
    // The disk takes a part of the line, as a full one does.
    t.mock.method(handle, 'write', async (bytes: Buffer) => write(bytes.subarray(0, 20)));
    await assert.rejects(file.write(entry('1.0')), {
      message: /the change was made and will be recorded later/,
    });
    await assert.rejects(file.assertWritable(), { code: 'unavailable' });
    await assert.rejects(file.write(entry('1.1', 'refused')), { message: /nothing was changed/ });
    t.mock.restoreAll();
    await file.assertWritable();
    await file.write(entry('1.2'));
    await file.close();
    const whole = (await lines()).filter((line) => line.length > 21);
    assert.deepEqual(
      whole.map((line) => JSON.parse(line).version ?? JSON.parse(line).action),
      ['open', '1.0', 'open', '1.2'],
    );
    assert.equal(file.isFaulty, false);
    assert.deepEqual(reports.at(-1), 'the audit log is writable again');
  });
});
