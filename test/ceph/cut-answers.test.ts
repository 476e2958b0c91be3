import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { FAKE_CREDENTIALS, type FakeS3, startFakeS3 } from '../support/fake-s3.js';
import { until } from '../support/until.js';
import { ARCHIVE, GZIP, LARGE, SMALL } from './damaged-site.js';
import { Node } from './nodes.js';

const REQUESTS = [
  ['/tool-1.0/', {}, SMALL],
  ['/tool-1.0/', GZIP, SMALL],
  ['/tool-1.0/large.txt', {}, LARGE],
  ['/tool-1.0/large.txt', GZIP, LARGE],
  ['/tool-1.0/stored.txt', {}, LARGE],
  ['/tool-1.0-docs.zip', {}, ARCHIVE.toString('latin1')],
] as const;

type Cut = (response: ServerResponse, part: Buffer, headers: Record<string, string | number>) => void;
const CUTS: readonly (readonly [string, Cut])[] = [
  [
    'closes the connection in the middle',
    (response, part, headers) => {
      response.writeHead(206, headers);
      response.write(part.subarray(0, part.length / 2), () => response.destroy());
    },
  ],
  [
    'stalls in the middle',
    (response, part, headers) => {
      response.writeHead(206, headers);
      response.write(part.subarray(0, part.length / 2));
    },
  ],
  [
    'announces what it sends, which is too little',
    (response, part, headers) => {
      const half = part.subarray(0, Math.ceil(part.length / 2));
      const range = String(headers['content-range']).replace(
        /(\d+)-\d+/,
        (_, start) => `${start}-${Number(start) + half.length - 1}`,
      );
      response
        .writeHead(206, { ...headers, 'content-length': half.length, 'content-range': range })
        .end(half);
    },
  ],
];

describe('A node whose store cuts its responses half-way', () => {
  for (const [what, cut] of CUTS) {
    it(`never sends a cut page or archive as whole, when the store ${what}`, async (t) => {
      const fake = await startFakeS3();
      t.after(fake.close);
      const place = {
        store: 's3://bucket/team',
        accessKey: FAKE_CREDENTIALS.accessKeyId,
        secretKey: FAKE_CREDENTIALS.secretAccessKey,
      };
      const options = ['--search', 'off', '--cache-size', '0', '--cache-dir-size', '1'];
      const node = await Node.started(t, place, fake.endpoint, ...options);
      assert.equal((await node.upload('tool-1.0', ARCHIVE)).status, 201);
      await assertAllRight(node);

      cutArchives(fake, cut);
      const outcomes = await Promise.all(
        REQUESTS.map(async ([path, headers, content]) => {
          const answer = await node.get(path, headers).catch(() => undefined);
          if (answer === undefined) return 'broken off';
          if (answer.status !== 200) {
            assert.deepEqual([answer.status, answer.retryAfter], [503, '5'], path);
            return 'refused';
          }
          assert.fail(`${path}: ${answer.body.length} bytes as ${content.length}`);
        }),
      );
      t.diagnostic(outcomes.join(', '));
      // A file that is read whole before it is sent can be refused.
      assert.equal(outcomes[0], 'refused');

      fake.intercept = () => false;
      await until(async () => (await node.get('/tool-1.0/')).status === 200);
      await assertAllRight(node);
    });
  }
});

async function assertAllRight(node: Node): Promise<void> {
  for (const [path, headers, content] of REQUESTS) {
    const { status, body } = await node.get(path, headers);
    assert.equal(status, 200);
    const plain = headers === GZIP && body[0] === 0x1f ? gunzipSync(body) : body;
    assert.ok(plain.equals(Buffer.from(content, 'latin1')), path);
  }
}

/** Every range of an archive is cut; everything else is answered as it should. */
function cutArchives(fake: FakeS3, cut: Cut): void {
  fake.intercept = (request, response) => {
    const [, key = ''] = /^\/bucket\/(team\/archive\/[^?]*)/.exec(request.url ?? '') ?? [];
    const [, start = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const object = fake.objects.get(key);
    if (object === undefined || start === '') return false;
    const part = object.subarray(Number(start), Number(last) + 1);
    const range = `bytes ${start}-${Number(start) + part.length - 1}/${object.length}`;
    cut(response, part, { 'content-length': part.length, 'content-range': range });
    return true;
  };
}
