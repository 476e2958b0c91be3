import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LecternClient } from '../../src/adapters/cli/client/lectern-client.js';
import { withPrivate } from '../support/private-projects.js';
import { TestServer } from '../support/server.js';

describe('A client of a server with private projects', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await TestServer.start(withPrivate());
    directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    for (const name of ['vault-1.0', 'shown-1.0']) await server.upload(`${name}-docs.zip`);
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  const clientWith = (token?: string) =>
    new LecternClient({ url: server.url, ...(token === undefined ? {} : { token }) });

  it('reads the projects of its token', async () => {
    const client = clientWith('secret-reader');
    const { projects } = await client.projects();
    assert.deepEqual(
      projects.map(({ directory_name }) => directory_name),
      ['shown', 'vault'],
    );
    assert.equal((await client.project('vault'))?.directory_name, 'vault');
    assert.equal(await client.has({ project: 'vault', label: '1.0' }), true);
    const target = join(directory, 'vault.zip');
    const { bytes } = await client.download('vault', '1.0', { target });
    assert.equal((await stat(target)).size, bytes);
  });

  it('finds no private project without a token', async () => {
    const client = clientWith();
    assert.equal((await client.projects()).count, 1);
    assert.equal(await client.project('vault'), undefined);
    await assert.rejects(client.download('vault', '1.0', { target: join(directory, 'none.zip') }), {
      status: 404,
    });
  });

  it('is told that its token is wrong, also when it reads', async () => {
    await assert.rejects(clientWith('wrong').projects(), { status: 401 });
  });
});
