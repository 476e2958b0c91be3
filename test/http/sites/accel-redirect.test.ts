import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openFilesBelow } from '../../support/open-files.js';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const BIG = 'x'.repeat(1_500_000);

describe('A server with --accel-redirect', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ accelRedirect: '/files/' });
    await server.upload('tool-1.0-docs.zip', {
      'index.html': 'front',
      'ü n/100%+.png': BIG,
      'big.html': BIG,
      '404.html': BIG,
    });
    await mkdir(join(server.docs, 'hand-1.0'));
    await writeFile(join(server.docs, 'hand-1.0/big.png'), BIG);
    await server.shows('/hand-1.0/big.png');
  });
  after(() => server.close());

  const named = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await server.get(path, { 'Accept-Encoding': 'identity', ...headers });
    return { answer, location: answer.headers.get('x-accel-redirect'), body: await answer.text() };
  };

  it('names a stored file instead of sending it, with all other headers of the response', async () => {
    for (const [path, type] of [
      ['/tool-1.0/%C3%BC%20n/100%25+.png', 'image/png'],
      ['/tool-latest/big.html', 'text/html; charset=utf-8'],
      ['/tool-latest-docs.zip', 'application/zip'],
      ['/api/download/tool/1.0', 'application/zip'],
    ] as const) {
      const { answer, location, body } = await named(path);
      assert.deepEqual([answer.status, body, answer.headers.get('content-type')], [200, '', type]);
      assert.match(answer.headers.get('etag') ?? '', /^".+"$/);
      assert.match(location ?? '', /^\/files\/\.lectern\/sites\/tool-1\.0\/[\w.-]+\/[\w./%-]+$/);
      const file = await readFile(
        join(server.docs, decodeURIComponent((location ?? '').slice('/files/'.length))),
      );
      if (type === 'application/zip') assert.equal(file.subarray(0, 2).toString(), 'PK');
      else assert.equal(String(file), BIG);
    }
  });

  it('logs no storage path', async () => {
    await named('/tool-1.0/big.html');
    await until(() => server.log.some((line) => (line as { path?: string }).path === '/tool-1.0/big.html'));
    assert.doesNotMatch(JSON.stringify(server.log), /\.lectern/);
  });

  it('sends all other responses itself: small pages, parts, compressed and generated ones', async () => {
    const etag = (await named('/tool-1.0/big.html')).answer.headers.get('etag') ?? '';
    for (const [path, headers, status, length] of [
      ['/tool-1.0/', {}, 200, 5],
      ['/tool-1.0/big.html', { Range: 'bytes=0-9' }, 206, 10],
      ['/tool-1.0/big.html', { 'If-Match': '"x"' }, 200, BIG.length],
      ['/tool-1.0/big.html', { 'If-None-Match': etag }, 304, 0],
      ['/tool-1.0/big.html', { 'Accept-Encoding': 'gzip' }, 200, BIG.length],
      ['/tool-1.0/nothing', {}, 404, BIG.length],
      ['/hand-1.0/big.png', {}, 200, BIG.length],
    ] as const) {
      const { answer, location, body } = await named(path, headers);
      assert.deepEqual([answer.status, location, body.length], [status, null, length], path);
    }
    const head = await server.fetch('/tool-1.0/big.html', {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'identity' },
    });
    assert.equal(head.headers.get('x-accel-redirect'), null);
    assert.equal(head.headers.get('content-length'), String(BIG.length));
  });

  it('keeps no file open that was only named', { skip: process.platform !== 'linux' }, async () => {
    for (let round = 0; round < 20; round++) await named('/tool-1.0/big.html');
    const isOpen = async () => (await openFilesBelow(server.docs)).some((target) => target.endsWith('.html'));
    await until(async () => !(await isOpen()));
  });
});
