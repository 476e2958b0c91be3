import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runAgain } from '../support/spawned-server.js';

const COMMANDS = [
  'serve',
  'init',
  'verify',
  'token',
  'import',
  'push',
  'projects',
  'download',
  'delete',
  'status',
];

describe('A usage error', { concurrency: 2 }, () => {
  for (const [args, line, help] of [
    [['push'], 'push needs <path>', 'lectern push --help'],
    [['delete'], 'delete needs <project>', 'lectern delete --help'],
    [['init', '--force'], "unknown option '--force'", 'lectern init --help'],
    [
      ['push', '.', '--dry-rnu'],
      "unknown option '--dry-rnu'; did you mean '--dry-run'?",
      'lectern push --help',
    ],
    [
      ['--no-upload-pages'],
      "unknown option '--no-upload-pages'; did you mean '--no-upload-page'?",
      'lectern serve --help',
    ],
    [['push', '.', '-x'], "unknown option '-x'", 'lectern push --help'],
    [['push', '.', '--version'], '--version needs a value: --version <label>', 'lectern push --help'],
    [['psuh', '.'], "unknown command 'psuh'; did you mean 'push'?", 'lectern --help'],
    [['psuh', '.', '--url', 'x'], "unknown command 'psuh'; did you mean 'push'?", 'lectern --help'],
    [['upload', '.'], "unknown command 'upload'; did you mean 'push'?", 'lectern --help'],
    [['frobnicate'], "unknown command 'frobnicate'", 'lectern --help'],
  ] as const) {
    it(`is one line, and names the help: lectern ${args.join(' ')}`, async () => {
      const place = await mkdtemp(join(tmpdir(), 'lectern-usage-'));
      try {
        const { code, stdout, stderr } = await runAgain(args, { LECTERN_PORT: '0' }, place);
        assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
        assert.equal(stderr, `lectern: ${line}\nRun '${help}' for help.\n`);
        assert.deepEqual(await readdir(place), []);
      } finally {
        await rm(place, { recursive: true });
      }
    });
  }
});

describe('The help', { concurrency: 2 }, () => {
  for (const command of COMMANDS) {
    it(`has an example that begins with the command for ${command}`, async () => {
      const { code, stdout } = await runAgain([command, '--help']);
      assert.equal(code, 0);
      const example = /^Examples:\n {2}\$ (.+)$/m.exec(stdout)?.[1] ?? '';
      const begins = command === 'serve' ? 'lectern -d ' : `lectern ${command}`;
      assert.ok(example.includes(begins), stdout);
    });
  }

  it('names every command, and equals the output of lectern help', async () => {
    const { stdout } = await runAgain(['--help']);
    for (const command of COMMANDS) assert.match(stdout, new RegExp(`^ {2}${command} .*\\w`, 'm'));
    assert.doesNotMatch(stdout, /default: true/);
    assert.deepEqual(await runAgain(['help']), await runAgain(['--help']));
    assert.deepEqual(await runAgain(['help', 'push']), await runAgain(['push', '--help']));
  });

  it('lists the commands without the options of serve, which the help of serve has', async () => {
    const { stdout } = await runAgain(['help']);
    assert.match(stdout, /\nUsage:\n {2}\$ lectern <command> \[options\]\n\nCommands:\n {2}serve /);
    assert.match(stdout, /\nOptions:\n {2}-h, --help .*\n {2}-v, --version .*\n$/);
    assert.doesNotMatch(stdout, /--docs|--max-/);
    const serve = (await runAgain(['help', 'serve'])).stdout;
    assert.match(serve, /^ {2}-d, --docs <directory> /m);
    assert.doesNotMatch(serve, /Commands:|Help of a command/);
    const [often = '', rarely = ''] = serve.split('\nRarely needed:\n');
    assert.ok(often.includes('--port <number>') && !often.includes('--max-ratio'), often);
    assert.match(rarely, /^ {2}--max-ratio <number> /m);
  });

  it('has the version that lectern version prints', async () => {
    assert.deepEqual(await runAgain(['version']), await runAgain(['--version']));
  });
});
