import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';

/** Copied-in directories whose docinfo is none that may be read, and one beside them that may. */
async function copyIn(docs: string, outside: string): Promise<void> {
  await writeFile(join(outside, 'secret.yaml'), 'name: Secret\ndescription: Nobody may read this');
  const docinfo: Readonly<Record<string, (file: string, directory: string) => unknown>> = {
    'deep-1.0': (file) => writeFile(file, '['.repeat(8_000)),
    'directory-1.0': (file) => mkdir(file),
    'fifo-1.0': (file) => execFileSync('mkfifo', [file]),
    'inside-1.0': async (file, directory) => {
      await writeFile(join(directory, 'real.yaml'), 'name: Real');
      await symlink('real.yaml', file);
    },
    'large-1.0': (file) => writeFile(file, 'name: Large\n'.padEnd(8_193)),
    'outside-1.0': (file) => symlink(join(outside, 'secret.yaml'), file),
    'plain-1.0': (file) => writeFile(file, 'name: Plain'),
    'wide-1.0': (file) => writeFile(file, `[${','.repeat(8_000)}`),
  };
  for (const [name, make] of Object.entries(docinfo)) {
    const directory = join(docs, name);
    await mkdir(directory);
    await writeFile(join(directory, 'index.html'), name);
    await make(join(directory, 'docinfo.yaml'), directory);
  }
}

describe('An unreadable docinfo in a copied-in directory', () => {
  it('is ignored, and the server starts, lists, serves and publishes', {
    timeout: 60_000,
  }, async (context) => {
    const place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const docs = join(place, 'docs');
    await mkdir(docs);
    await copyIn(docs, place);
    context.after(async () => {
      // Whoever waits for a writer goes on.
      try {
        closeSync(openSync(join(docs, 'fifo-1.0/docinfo.yaml'), constants.O_WRONLY | constants.O_NONBLOCK));
      } catch {
        // Nobody waits.
      }
      await rm(place, { recursive: true });
    });
    for (const start of ['first', 'second']) {
      const server = await TestServer.start({ docs });
      try {
        const { projects } = await server.json('/api/projects');
        assert.deepEqual(
          projects.map(({ name, description }: { name: string; description: string }) => [name, description]),
          [
            ['deep', ''],
            ['directory', ''],
            ['fifo', ''],
            ['inside', ''],
            ['large', ''],
            ['outside', ''],
            ['Plain', ''],
            ...(start === 'first' ? [] : [['uploaded', '']]),
            ['wide', ''],
          ],
        );
        assert.doesNotMatch(await (await server.get('/')).text(), /Nobody may read this/);
        for (const name of ['deep-1.0', 'fifo-1.0', 'outside-1.0', 'wide-1.0']) {
          assert.equal(await (await server.get(`/${name}/`)).text(), name);
        }
        assert.equal((await server.get('/fifo-1.0-docs.zip')).status, 200);
        assert.equal((await server.upload('uploaded-1.0-docs.zip')).status, start === 'first' ? 201 : 200);
      } finally {
        await server.close();
      }
    }
  });
});

describe('An upload with an unreadable docinfo', () => {
  for (const [what, text, why] of [
    ['nests deep', '[,'.repeat(4_000), /docinfo\.yaml has more than 200 brackets/],
    [
      'has an entry in every byte',
      `[${','.repeat(8_000)}`,
      /docinfo\.yaml has more than 1000 lines and commas/,
    ],
    ['is large', 'name: Large\n'.padEnd(8_193), /docinfo\.yaml is larger than 8192 bytes/],
  ] as const) {
    it(`is published with a warning that gives the reason: the docinfo ${what}`, async () => {
      const server = await TestServer.start();
      try {
        const files = { 'index.html': 'served', 'docinfo.yaml': text };
        const answer = await server.upload('a-1.0-docs.zip', files);
        assert.equal(answer.status, 201);
        const { warnings } = (await answer.json()) as { warnings: readonly [{ message: string }] };
        assert.match(warnings[0].message, why);
        assert.equal(await (await server.get('/a-1.0/')).text(), 'served');
        assert.equal((await server.json('/api/projects')).projects[0].name, 'a');
      } finally {
        await server.close();
      }
    });
  }
});
