import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parseDockerfile } from '../deploy/dockerfile.js';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { document, fencesOf, tableOf } from './markdown.js';

const run = promisify(execFile);
const readme = await document('README.md');
const shell = fencesOf(readme)
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code);

/** The block of commands that has a text. */
const blockWith = (text: string) => shell.find((code) => code.includes(text)) ?? assert.fail(text);

// In the order of the document, as a newcomer types them, with a server on another port and a real token.
describe('The commands of the README', () => {
  let home: string;
  let server: SpawnedServer & { url: string };

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const tokens = join(home, 'tokens.json');
    const admin = { token: 'secret-admin', allow_delete: true };
    await writeFile(tokens, JSON.stringify({ tokens: { admin } }), { mode: 0o600 });
    server = await SpawnedServer.start(['-d', join(home, 'docs'), '--tokens', tokens]);
    await mkdir(join(home, 'build/html'), { recursive: true });
    await writeFile(
      join(home, 'build/html/index.html'),
      '<!doctype html><title>Install</title><p>install</p>',
    );
  });
  after(async () => {
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });

  const typed = (commands: string) =>
    run(
      'bash',
      [
        '-euo',
        'pipefail',
        '-c',
        commands.replaceAll('http://127.0.0.1:8080', server.url).replaceAll('<a token>', 'secret-admin'),
      ],
      {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-admin' },
      },
    );

  it('publish a folder with the client provided by the server', async () => {
    const { stdout } = await typed(blockWith('/-/client.mjs'));
    assert.equal(stdout, `${server.url}/my-project-1.0.0/\n`);
    await typed(
      'curl -fsS -X DELETE -H "X-Token: $LECTERN_TOKEN" "$LECTERN_URL/api/delete/my-project/1.0.0"',
    );
  });

  it('publish an archive with curl', async () => {
    const { stdout } = await typed(blockWith('/api/upload'));
    assert.equal(JSON.parse(stdout).url, '/my-project-1.0.0/');
  });

  it('read, list, search, download and delete, as in the table of tasks', async () => {
    const tasks = tableOf(readme, 'Task', 'Command').map(([task = '', command = '']) => [
      task,
      command.slice(1, -1),
    ]);
    assert.ok(tasks.length >= 8);
    for (const [task = '', command = ''] of tasks) {
      const { stdout } = await typed(command.replace(/^curl /, 'curl --fail-with-body -sS '));
      if (!task.startsWith('Download')) assert.ok(stdout.length > 10, task);
    }
    assert.equal((await fetch(`${server.url}/my-project-1.0.0/`)).status, 404);
  });
});

describe('The commands for the container', () => {
  it('name the volume of the image, and files on it only', async () => {
    const image = parseDockerfile(await readFile(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8')).at(-1);
    const volume = image?.instructions.find(({ name }) => name === 'VOLUME')?.text ?? assert.fail();
    for (const { path, text } of [readme, await document('docs/operating.md')]) {
      const runs = text.match(/^docker run .*$/gm) ?? [];
      assert.ok(runs.length > 0, path);
      for (const each of runs) {
        assert.deepEqual(
          [...each.matchAll(/--volume (\S+)/g)].map(([, given]) => given),
          [`lectern:${volume}`],
        );
      }
      assert.ok(text.includes(`docker exec lectern cat ${volume}/first-token`), path);
    }
  });

  it('are a single one in the README', () => {
    assert.deepEqual(blockWith('docker run').split('\n').length, 2);
  });
});
