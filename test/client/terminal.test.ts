import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Progress, type Terminal, terminalOf } from '../../src/adapters/cli/terminal.js';
import { visible } from '../../src/domain/index.js';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { fakeServer } from './fake-server.js';
import { workplace, writeTree } from './lectern.js';

/** Runs a program on a terminal of its own, types an answer when it is asked, and says how it ended. */
const TYPIST = `
import json, os, pty, sys
answer, program = sys.argv[1].encode(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(program[0], program)
shown, answered = b"", False
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if not answered and b"[y/N]" in shown:
        os.write(terminal, answer)
        answered = True
_, status = os.waitpid(pid, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "shown": shown.decode()}))
`;

describe('A command on a terminal', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  async function onTerminal(answer: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const env = {
      PATH: process.env.PATH,
      TERM: 'xterm',
      LECTERN_URL: server.url,
      LECTERN_TOKEN: 'secret-admin',
      ...more,
    };
    const program = ['-c', TYPIST, answer, process.execPath, MAIN, ...args];
    const { stdout } = await promisify(execFile)('python3', program, { env });
    return JSON.parse(stdout) as { code: number; shown: string };
  }

  for (const [what, answer] of [
    ['no', 'n\n'],
    ['nothing', '\n'],
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const) {
    it(`asks before delete, and takes ${what} for no`, async () => {
      await server.upload('kept-1.0-docs.zip');
      const { code, shown } = await onTerminal(answer, ['delete', 'kept', '1.0']);
      assert.equal(code, 1, shown);
      assert.match(shown, /Delete kept 1\.0 from http:\S+\? \[y\/N\]/);
      assert.match(shown, /Nothing was deleted/);
      assert.equal((await server.get('/kept-1.0/')).status, 200);
    });
  }

  it('warns before delete --purge that it cannot be undone', async () => {
    await server.upload('kept-1.0-docs.zip');
    const { code, shown } = await onTerminal('n\n', ['delete', 'kept', '1.0', '--purge']);
    assert.equal(code, 1, shown);
    assert.match(shown, /Delete kept 1\.0 from http:\S+ permanently\? This cannot be undone\. \[y\/N\]/);
    assert.equal((await server.get('/kept-1.0/')).status, 200);
  });

  it('takes yes for confirmation of delete', async () => {
    await server.upload('gone-1.0-docs.zip');
    assert.equal((await onTerminal('y\n', ['delete', 'gone', '1.0'])).code, 0);
    assert.equal((await server.get('/gone-1.0/')).status, 404);
  });

  for (const [what, answer, code, text] of [
    ['yes', 'y\n', 0, 'second'],
    ['no', 'n\n', 1, 'first'],
    ['Ctrl-C', '\u0003', 1, 'first'],
  ] as const) {
    it(`asks before push replaces a version, and takes ${what} for an answer`, async (context) => {
      await server.upload('asked-1.0-docs.zip', { 'index.html': 'first' });
      const site = await writeTree(await workplace(context), { 'index.html': 'second' });
      const args = ['push', site, '--project', 'asked', '--version', '1.0'];
      const run = await onTerminal(answer, args);
      assert.equal(run.code, code, run.shown);
      assert.match(run.shown, /asked 1\.0 already exists at http:\S+\/asked-1\.0\/\. Replace it\? \[y\/N\]/);
      assert.equal(/Nothing was published/.test(run.shown), code === 1);
      assert.equal(await (await server.get('/asked-1.0/')).text(), text);
    });
  }

  it('pushes without a question with --replace, for a dry run, and in a CI job', async (context) => {
    await server.upload('asked-2.0-docs.zip', { 'index.html': 'first' });
    const site = await writeTree(await workplace(context), { 'index.html': 'second' });
    const args = ['push', site, '--project', 'asked', '--version', '2.0'];
    const dry = await onTerminal('', [...args, '--dry-run']);
    assert.equal(dry.code, 0, dry.shown);
    const inCi = await onTerminal('', args, { CI: 'true' });
    assert.equal(inCi.code, 4, inCi.shown);
    assert.equal(await (await server.get('/asked-2.0/')).text(), 'first');
    const { code, shown } = await onTerminal('', [...args, '--replace']);
    assert.equal(code, 0, shown);
    assert.doesNotMatch(shown + dry.shown + inCi.shown, /\[y\/N\]/);
    assert.equal(await (await server.get('/asked-2.0/')).text(), 'second');
  });

  it('ends at once on a refused connection', async () => {
    const closed = await fakeServer([]);
    closed.close();
    const { code, shown } = await onTerminal('', ['projects'], { LECTERN_URL: closed.url });
    assert.equal(code, 3);
    assert.equal(shown, `lectern: Cannot reach ${closed.url}: connection refused\r\n`);
  });

  it('draws a progress bar for push, and clears it', async (context) => {
    const site = await writeTree(await workplace(context), { 'index.html': 'x'.repeat(100_000) });
    const args = ['push', site, '--project', 'bar', '--version', '1.0'];
    const { code, shown } = await onTerminal('', args);
    assert.equal(code, 0, shown);
    assert.match(shown, /\r\u001b\[2K\[#{24}\] 98 KiB of 98 KiB packing /);
    assert.match(shown, /\r\u001b\[2Kpacked 1 file into /);
  });
});

describe('Progress', () => {
  const lines = (isLive: boolean) => {
    const written: string[] = [];
    const notes = { columns: 60, write: (text: string) => written.push(text) };
    const terminal: Terminal = { out: notes, notes, isLive };
    return { written, terminal };
  };

  it('is a line for each quarter of a large upload where lines are permanent', () => {
    const { written, terminal } = lines(false);
    const progress = new Progress(terminal, 'sending');
    for (let done = 0; done <= 100; done += 5) progress.show(done * 1024 ** 2, 100 * 1024 ** 2);
    progress.end();
    assert.deepEqual(
      written,
      [25, 50, 75].map((percent) => `sending: ${percent} % of 100 MiB\n`),
    );
  });

  it('is silent for a small upload where lines are permanent', () => {
    const { written, terminal } = lines(false);
    new Progress(terminal, 'sending').show(1, 2);
    assert.deepEqual(written, []);
  });

  it('fits into one line of a terminal', () => {
    const { written, terminal } = lines(true);
    new Progress(terminal, 'a name that is too long for the line that it is to go on').show(1, 1);
    assert.ok((written[0] ?? '').replace('\r\u001b[2K', '').length < 60);
  });

  it('is never drawn in a CI job', () => {
    for (const CI of ['true', '1', 'yes']) assert.equal(terminalOf({ CI }).isLive, false);
  });
});

describe('Foreign text', () => {
  it('is printed without control sequences', () => {
    assert.equal(
      visible('a\u001b[2J\r\n\u202e\u{e0001}\ud800é'),
      'a\\u001b[2J\\u000d\\u000a\\u202e\\u{e0001}\\ud800é',
    );
  });
});
