import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { lectern, workplace, writeTree } from './lectern.js';

const execute = promisify(execFile);

describe('lectern push of a tar archive', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  for (const [file, args, address] of [
    ['site.tar.gz', ['--project', 'given', '--version', '1.0'], '/given-1.0/'],
    ['widgets-1.0-docs.tgz', [], '/widgets-1.0/'],
    ['widgets~pr-7-docs.tar', [], '/widgets~pr-7/'],
    ["it's $(id).tar.gz", ['--project', 'quoted', '--preview', 'pr-1'], '/quoted~pr-1/'],
  ] as const) {
    it(`is refused before anything is sent, with the command that publishes ${file}`, async (context) => {
      const cwd = await writeTree(await workplace(context), { 'html/index.html': 'from a tar' });
      await execute('tar', ['-caf', join(cwd, file), '-C', join(cwd, 'html'), '.']);
      const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
      const before = await tree(server.docs);
      const { code, out, notes } = await lectern(['push', file, ...args], { cwd, env });
      assert.deepEqual({ code, out }, { code: 2, out: '' }, notes);
      assert.deepEqual(await tree(server.docs), before);
      const [, command = ''] = /push the directory: (mkdir .+)\n$/.exec(notes) ?? assert.fail(notes);
      const shell = `lectern() { "${process.execPath}" "${MAIN}" "$@"; }\n${command}`;
      const options = { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } };
      const { stdout } = await execute('sh', ['-c', shell], options);
      assert.equal(stdout, `${server.url}${address}\n`);
      assert.equal(await (await server.get(address)).text(), 'from a tar');
    });
  }

  for (const file of ['a.tar.xz', 'a.tbz2', 'a.TAR.ZST', 'a.tar.Z']) {
    it(`is detected by its name: ${file}`, async (context) => {
      const cwd = await writeTree(await workplace(context), { [file]: 'x' });
      const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
      const { code, notes } = await lectern(['push', file, '--project', 'a', '--version', '1'], { cwd, env });
      assert.equal(code, 2);
      assert.match(notes, /is a tar archive, but only directories and zip archives can be pushed; /);
    });
  }
});
