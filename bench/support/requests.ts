import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** As sent: not decoded. */
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true });

export async function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const sent = request(url, { method, headers, agent }).end();
  return answerTo(sent);
}

/** A measurement of wrong answers is worth nothing: fails unless the body is right, byte by byte. */
export async function assertServes(
  url: string,
  expected: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await ask(url, { headers });
  assert.equal(answer.status, 200, url);
  const { body } = answer;
  const plain = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  assert.ok(plain.equals(expected), `${url} serves ${plain.length} wrong bytes`);
  return answer;
}

/** Waits until every site that is published can be searched. */
export async function untilIndexed(origin: string): Promise<void> {
  for (;;) {
    const { status, body } = await ask(`${origin}/api/search?q=install&limit=1`);
    if (status === 200 && JSON.parse(body.toString()).indexing === 0) return;
    await sleep(50);
  }
}

export interface Upload {
  /** `my-project-1.0.0-docs.zip` */
  readonly name: string;
  readonly archive: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Uploaded extends Answer {
  /** Since the request began. */
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** Sends an archive as curl does with `-F file=@…`, and notes when its last byte was out. */
export async function upload(url: string, { name, archive, headers = {} }: Upload): Promise<Uploaded> {
  const boundary = '----lectern-bench';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/zip\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const length = head.length + statSync(archive).size + tail.length;
  const startedAt = performance.now();
  const sending = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': length,
    },
  });
  const answering = answerTo(sending);
  sending.write(head);
  await pipeline(createReadStream(archive, { highWaterMark: 256 * 1024 }), sending, { end: false });
  sending.end(tail);
  await once(sending, 'finish');
  const sentMs = performance.now() - startedAt;
  const answer = await answering;
  return { ...answer, sentMs, answeredMs: performance.now() - startedAt };
}

async function answerTo(sent: ReturnType<typeof request>): Promise<Answer> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}
