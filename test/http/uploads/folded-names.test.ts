import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

describe('A docs directory that folds .LECTERN to .lectern', () => {
  let docs: string;
  let server: TestServer;

  beforeEach(async () => {
    docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    // A file system that ignores case has this name, too; the server looks for nothing else when it starts.
    await symlink('.lectern', join(docs, '.LECTERN'));
    server = await TestServer.start({ docs });
  });
  afterEach(async () => {
    await server.close();
    await rm(docs, { recursive: true });
  });

  /** @returns the message */
  async function assertRefused(send: () => Promise<Response>, status: number, code: string): Promise<string> {
    const before = await tree(docs);
    const response = await send();
    const { error, message } = (await response.json()) as Json;
    assert.deepEqual([response.status, error], [status, code], message);
    assert.deepEqual(await tree(docs), before);
    return message;
  }

  it('refuses an upload to another spelling of a project, and names the existing one', async () => {
    await server.upload('A-1.0-docs.zip', { 'index.html': 'upper' });
    for (const token of ['scoped', 'admin']) {
      for (const name of ['a-1.0', 'a-2.0']) {
        const upload = () => server.upload(`${name}-docs.zip`, { 'index.html': 'lower' }, token);
        const message = await assertRefused(upload, 403, 'project_not_allowed');
        assert.match(message, /^'A(-1\.0)?' exists.* upload to project 'A'/);
      }
    }
    assert.equal(await (await server.get('/A-1.0/')).text(), 'upper');
    assert.equal((await server.get('/a-1.0/')).status, 404);
    assert.equal((await server.upload('A-2.0-docs.zip')).status, 201);
    assert.equal((await server.upload('A-1.0-docs.zip')).status, 200);
  });

  it('refuses an upload under another spelling of a version, whatever the token may overwrite', async () => {
    await server.upload('a-1.0-RC1-docs.zip');
    for (const token of ['scoped', 'admin']) {
      const upload = () => server.upload('a-1.0-rc1-docs.zip', undefined, token);
      const message = await assertRefused(upload, 409, 'version_exists');
      assert.match(
        message,
        /^'a-1\.0-RC1' exists.* 'a-1\.0-rc1' cannot be created; use the existing spelling/,
      );
    }
  });

  it('reserves the name of a copied-in directory in every spelling', async () => {
    await mkdir(join(docs, 'A-1.0'));
    await writeFile(join(docs, 'A-1.0/index.html'), 'by hand');
    for (const name of ['a-1.0', 'a-2.0']) {
      await assertRefused(() => server.upload(`${name}-docs.zip`), 403, 'project_not_allowed');
    }
    await server.shows('/A-1.0/');
    assert.equal(await (await server.get('/A-1.0/')).text(), 'by hand');
  });

  it('finds no version for a deletion under another spelling', async () => {
    await server.upload('A-1.0-docs.zip');
    await assertRefused(() => server.delete('a/1.0', 'scoped'), 404, 'project_not_found');
    await server.upload('lib-2-1.0.0-RC1-docs.zip');
    await assertRefused(() => server.delete('lib-2/1.0.0-rc1', 'scoped'), 404, 'version_not_found');
  });

  it('refuses a name that reads as another project in lower case', async () => {
    const message = await assertRefused(() => server.upload('log-V2-1.0-docs.zip'), 400, 'invalid_filename');
    assert.match(message, /also version 'v2-1\.0' of project 'log'/);
  });

  it('applies the rule again after a start', async () => {
    await server.upload('A-1.0-docs.zip');
    await server.close();
    server = await TestServer.start({ docs });
    await assertRefused(() => server.upload('a-1.0-docs.zip'), 403, 'project_not_allowed');
  });
});

describe('A case-sensitive docs directory', () => {
  it('holds two versions of two projects whose names differ by case', async () => {
    const server = await TestServer.start();
    for (const name of ['A-1.0', 'a-1.0', 'a-1.0-RC1', 'a-1.0-rc1', 'log-V2-1.0']) {
      assert.equal((await server.upload(`${name}-docs.zip`, { 'index.html': name })).status, 201);
    }
    assert.equal((await server.delete('a/1.0', 'scoped')).status, 200);
    assert.equal(await (await server.get('/A-1.0/')).text(), 'A-1.0');
    await server.close();
  });
});
