import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parseLine } from '../../src/adapters/access-log/access-log.js';
import { AccessLog } from '../../src/adapters/access-log/index.js';
import type { LoggedRequest } from '../../src/application/index.js';
import { anyString } from '../support/any-string.js';

const line = (
  request: string,
  { status = 200, agent = 'Mozilla/5.0', at = '23/Nov/2026:10:00:00 +0000' } = {},
) => `192.0.2.1 - - [${at}] "${request}" ${status} 512 "-" "${agent}"`;

describe('A line of an access log', () => {
  it('is read in the combined format, the common format, and that of deploy/nginx', () => {
    const combined = parseLine(line('GET /a-1.0/guide/?q=secret HTTP/1.1', { status: 304 }));
    assert.deepEqual(combined, {
      time: new Date('2026-11-23T10:00:00Z'),
      method: 'GET',
      path: '/a-1.0/guide/',
      status: 304,
      userAgent: 'Mozilla/5.0',
    });
    const common = '::1 - jane doe [23/Nov/2026:00:30:00 +0200] "HEAD / HTTP/2.0" 404 -';
    assert.deepEqual(parseLine(common), {
      time: new Date('2026-11-22T22:30:00Z'),
      method: 'HEAD',
      path: '/',
      status: 404,
      userAgent: undefined,
    });
    const own = '- - - [23/Nov/2026:10:00:00 -0530] "GET /a-1.0/ HTTP/1.1" 200 5 "-" "-"';
    assert.equal(parseLine(own)?.time.toISOString(), '2026-11-23T15:30:00.000Z');
    assert.equal(parseLine(own)?.userAgent, undefined);
  });

  it('has bytes and quotes as web servers escape them', () => {
    assert.equal(parseLine(line('GET /a-1.0/\\xC3\\xBC\\x22b HTTP/1.1'))?.path, '/a-1.0/%C3%BC%22b');
    assert.equal(parseLine(line('GET /a HTTP/1.1', { agent: 'say \\"hi\\"' }))?.userAgent, 'say \\"hi\\"');
  });

  it('is unreadable when it is anything else', () => {
    for (const text of [
      '',
      'x',
      '{"request":{"uri":"/"}}',
      line('-'),
      line('GET http://other/ HTTP/1.1'),
      line('\\x16\\x03\\x01'),
      line('GET / HTTP/1.1', { at: '23/Foo/2026:10:00:00 +0000' }),
      line('GET / HTTP/1.1', { at: '2026-11-23T10:00:00Z' }),
      '['.repeat(60_000),
      `${'"'.repeat(30_000)}${'\\'.repeat(30_000)}`,
    ]) {
      assert.equal(parseLine(text), undefined, text.slice(0, 60));
    }
  });

  it('parses quickly and never throws, whatever bytes it contains', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 500 }), fc.string({ maxLength: 100 }), (text, request) => {
        for (const each of [text, line(request), text + line(request), line(text)]) {
          const read = parseLine(each);
          if (read !== undefined) assert.match(read.path, /^\//);
        }
      }),
    );
  });
});

describe('An access log', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-log-'));
  });
  after(() => rm(home, { recursive: true }));

  const read = async (content: string | Buffer, name = 'access.log') => {
    const file = join(home, name);
    await writeFile(file, content);
    const log = new AccessLog(file);
    const id = await log.identify();
    const requests: LoggedRequest[] = [];
    for await (const request of log.requests()) requests.push(request);
    return { id, paths: requests.map(({ path }) => path), unreadable: log.unreadable };
  };
  const two = `${line('GET /1 HTTP/1.1')}\n${line('GET /2 HTTP/1.1')}\n`;

  it('keeps its identity when it grows, is renamed or is compressed', async () => {
    const whole = await read(two);
    assert.match(whole.id ?? '', /^log-[0-9a-f]{32}$/);
    assert.deepEqual(whole.paths, ['/1', '/2']);
    const grown = await read(`${two}${line('GET /3 HTTP/1.1')}\n`, 'access.log.1');
    const compressed = await read(
      Buffer.concat([gzipSync(two), gzipSync(`${line('GET /3 HTTP/1.1')}\n`)]),
      'log.2.gz',
    );
    for (const { id, paths } of [grown, compressed]) {
      assert.deepEqual([id, paths], [whole.id, ['/1', '/2', '/3']]);
    }
    assert.notEqual((await read(`${line('GET /0 HTTP/1.1')}\n${two}`)).id, whole.id);
  });

  it('skips an unfinished last line', async () => {
    assert.deepEqual((await read(`${two}${line('GET /3 HTTP/1.1')}`)).paths, ['/1', '/2']);
    assert.deepEqual(await read(line('GET /1 HTTP/1.1')), { id: undefined, paths: [], unreadable: 0 });
    assert.deepEqual(await read(''), { id: undefined, paths: [], unreadable: 0 });
  });

  it('counts hostile lines (a megabyte long, invalid UTF-8, escapes, empty) and reads all other lines', async () => {
    const hostile = Buffer.concat([
      Buffer.from(`${'x'.repeat(1_000_000)}\n`),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from('\u001b[2J\u001b]0;title\u0007\n\n'),
      Buffer.from(`${line(`GET /${'y'.repeat(1_000_000)} HTTP/1.1`)}\n`),
      Buffer.from(two),
    ]);
    for (const content of [hostile, gzipSync(hostile)]) {
      const { paths, unreadable } = await read(content);
      assert.deepEqual([paths, unreadable], [['/1', '/2'], 5]);
    }
  });

  it('fails when the file cannot be read to its end', async () => {
    await assert.rejects(new AccessLog(join(home, 'nothing')).identify(), { code: 'ENOENT' });
    const half = gzipSync(two.repeat(10_000));
    await assert.rejects(read(half.subarray(0, half.length / 2)), { code: 'Z_BUF_ERROR' });
    await assert.rejects(
      read(Buffer.concat([half.subarray(0, 100), Buffer.alloc(100)])),
      /invalid|unexpected/,
    );
  });
});
