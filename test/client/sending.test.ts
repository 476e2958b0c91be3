import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { TestServer } from '../support/server.js';
import { fakeServer, published } from './fake-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

const MIB = 1024 ** 2;
const NAME = 'a-1.0-docs.zip';
/**
 * Twice what V8 lets come together of memory outside of its heap before it collects. A push of 1 MB ends before V8 ever does
 * so: only pushes that are large enough for it can be compared.
 */
const MAX_MORE = 64 * MIB;
/** Says at its end how much memory the process had at most. */
const SCALE = "process.once('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS+' KiB'))";

async function fileOf(directory: string, name: string, size: number): Promise<string> {
  const file = join(directory, name);
  const handle = await open(file, 'w');
  await handle.truncate(size);
  await handle.close();
  return file;
}

async function peakOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const node = ['--import', `data:text/javascript,${SCALE}`];
  const { code, notes } = await lectern(args, { env, node });
  assert.equal(code, 0, notes);
  return Number(/peak (\d+) KiB/.exec(notes)?.[1]) * 1024;
}

function assertNoMore(large: number, small: number): void {
  assert.ok(large - small < MAX_MORE, `${(large - small) / MIB} MiB more`);
}

async function receiver(context: TestContext) {
  const server = await fakeServer([published]);
  context.after(() => server.close());
  return { server, env: { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret' } };
}

describe('A large push', () => {
  it('uses no more memory for a larger archive, from 300 MB', async (context) => {
    const { server, env } = await receiver(context);
    const place = await workplace(context);
    const push = async (size: number) => peakOf(['push', '--replace', await fileOf(place, NAME, size)], env);
    assertNoMore(await push(300 * MIB), await push(100 * MIB));
    assert.ok(server.received() > 400 * MIB);
  });

  it('uses no more memory for a larger directory, from 300 MB', async (context) => {
    const { env } = await receiver(context);
    const push = async (size: number) => {
      const directory = await workplace(context);
      await fileOf(directory, 'a.bin', size);
      return peakOf(['push', '--replace', directory, '--project', 'a', '--version', '1.0'], env);
    };
    assertNoMore(await push(300 * MIB), await push(100 * MIB));
  });

  it('stops when the server refuses it, long before its end', async (context) => {
    const server = await TestServer.start();
    context.after(() => server.close(0));
    await server.upload(NAME);
    const file = await fileOf(await workplace(context), NAME, 400 * MIB);
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
    const { code, notes } = await lectern(['push', '--replace', file], { env });
    assert.equal(code, 4, notes);
    assert.doesNotMatch(notes, /50 %/);
  });

  it('prints its progress in plain lines without a terminal', async (context) => {
    const { env } = await receiver(context);
    const file = await fileOf(await workplace(context), NAME, 40 * MIB);
    const { notes } = await lectern(['push', '--replace', file], { env });
    assert.deepEqual(
      notes.split('\n').filter((line) => line.startsWith('uploading to')),
      [25, 50, 75].map((percent) => `uploading to ${env.LECTERN_URL}: ${percent} % of 40 MiB`),
    );
    assert.doesNotMatch(notes, /\r|\u001b/);
  });

  it('announces its exact length, so that no proxy has to buffer it', async (context) => {
    let headers: NodeJS.Dict<string | string[]> = {};
    const server = await fakeServer([
      (request, response) => {
        if (request.method === 'POST') headers = request.headers;
        published(request, response);
      },
    ]);
    context.after(() => server.close());
    const place = await writeTree(await workplace(context), { [NAME]: 'some bytes' });
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'größe' };
    assert.equal((await lectern(['push', '--replace', NAME], { cwd: place, env })).code, 0);
    assert.equal(headers['content-length'], String(server.received()));
    assert.equal(headers['transfer-encoding'], undefined);
    assert.equal(Buffer.from(String(headers['x-token']), 'latin1').toString(), 'größe');
    assert.match(String(headers['user-agent']), /^lectern\/\d/);
  });
});
