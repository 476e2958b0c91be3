import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run, runAgain } from '../support/spawned-server.js';

/** A server that starts in spite of everything takes no port that others need. */
const FREE_PORT = { LECTERN_PORT: '0' };

describe('An ambiguous command line', { concurrency: 2 }, () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
  });
  after(async () => rm(place, { recursive: true, force: true }));

  for (const [what, args, line] of [
    [
      'two spellings of one option',
      ['--docs', 'a', '-d', 'b'],
      /^lectern: --docs: can be given only once\n$/,
    ],
    [
      'one option twice with one value',
      ['-d', 'a', '--host', 'x', '--host', 'x'],
      /^lectern: --host: can be given only once\n$/,
    ],
    [
      'an option named like a part of every object',
      ['-d', 'a', '--constructor', 'b'],
      /^lectern: unknown option '--constructor'\nRun 'lectern serve --help' for help\.\n$/,
    ],
    ['a part of an option', ['-d', 'a', '--docs.x', 'b'], /^lectern: unknown option '--docs\.x'\nRun /],
    ['a name of every object', ['constructor'], /^lectern: unknown command 'constructor'\nRun /],
    ['an argument behind --', ['-d', 'a', '--', 'b'], /^lectern: unknown command 'b'\nRun /],
    [
      'an option of another command',
      ['init', 'made', '--port', '0'],
      /^lectern: unknown option '--port'\nRun 'lectern init --help' for help\.\n$/,
    ],
    [
      'an option without its value',
      ['--tokens', '-d', 'a'],
      /^lectern: --tokens needs a value: --tokens <file>\nRun 'lectern serve --help' for help\.\n$/,
    ],
    ['a number in another notation', ['-d', 'a', '--max-files', '0x10'], /--max-files: .*, not '0x10'\n$/],
    ['an exponent', ['-d', 'a', '--max-uploads', '1e3'], /--max-uploads: .*, not '1e3'\n$/],
    ['an unset variable for -d', ['-d', ''], /^lectern: .*docs[^\n]*\n$/],
    ['an unset variable for --host', ['-d', 'a', '--host='], /--host/],
  ] as const) {
    it(`is refused: ${what}`, async () => {
      const { code, stdout, stderr } = await runAgain(args, FREE_PORT, place);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr);
      assert.match(stderr, line);
    });
  }

  it('is explained by the help of serve, which names every option with its default', async () => {
    const { stdout } = await run(['serve', '--help']);
    for (const [option, given] of [
      ['-d, --docs <directory>', ''],
      ['--tokens <file>', ''],
      ['--host <address>', '127.0.0.1'],
      ['--port <number>', '8080'],
      ['--max-upload-size <size>', '512MiB'],
      ['--max-extracted-size <size>', '2GiB'],
      ['--max-files <number>', '100000'],
      ['--max-ratio <number>', '50'],
    ] as const) {
      const line = stdout.split('\n').find((text) => text.trim().startsWith(option));
      assert.equal(/\(default: (.*?)\)/.exec(line ?? 'none')?.[1] ?? '', given, option);
    }
  });
});
