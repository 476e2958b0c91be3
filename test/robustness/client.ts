import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { zipOf } from '../support/zip-writer.js';

export const TOKENS_JSON =
  '{"tokens": {"ci": {"token": "secret", "allow_overwrite": true, "allow_delete": true}, "new": {"token": "secret-new"}}}';

export interface Answer {
  readonly status: number;
  /** As the closed list names it; undefined for an answer that is no failure of the API. */
  readonly error: string | undefined;
  readonly text: string;
}

/** A server that does not answer is a failure, not a reason to wait. */
const patience = () => AbortSignal.timeout(60_000);

/** Uploads, deletes and downloads on any server that has the tokens above. */
export async function upload(
  url: string,
  name: string,
  archive: Buffer,
  token: 'secret' | 'secret-new' = 'secret',
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(archive)]), `${name}-docs.zip`);
  const headers = { 'X-Token': token };
  return answerOf(fetch(`${url}/api/upload`, { method: 'POST', body: form, headers, signal: patience() }));
}

export async function remove(url: string, project: string, version: string): Promise<Answer> {
  const path = `${url}/api/delete/${project}/${version}`;
  return answerOf(fetch(path, { method: 'DELETE', headers: { 'X-Token': 'secret' }, signal: patience() }));
}

export async function get(url: string, path: string): Promise<Answer> {
  return answerOf(fetch(url + path, { redirect: 'manual', signal: patience() }));
}

/** The sha256 of an archive that arrives whole; undefined when there is none. */
export async function archiveHash(url: string, name: string): Promise<string | undefined> {
  const response = await fetch(`${url}/${name}-docs.zip`, { signal: patience() });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 200) return hashOf(bytes);
  assert.equal(response.status, 404, bytes.toString().slice(0, 200));
  return undefined;
}

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function answerOf(answering: Promise<Response>): Promise<Answer> {
  const response = await answering;
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
  const { error } = (isJson ? JSON.parse(text) : {}) as { error?: string };
  return { status: response.status, error, text };
}

/**
 * A request on a connection of its own. `fetch` would keep connections, and sometimes waits for ever when one is cut
 * before its body is sent.
 * @throws the error of a connection that ends before the answer does
 */
export function ask(
  url: string,
  path: string,
  archive?: { readonly name: string; readonly bytes: Buffer },
): Promise<Answer> {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${archive?.name}-docs.zip"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    archive?.bytes ?? Buffer.alloc(0),
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const headers = {
    'X-Token': 'secret',
    'Content-Type': 'multipart/form-data; boundary=x',
    'Content-Length': body.length,
  };
  return new Promise((resolve, reject) => {
    const options = archive === undefined ? {} : { method: 'POST', headers };
    const sending = request(
      url + path,
      { agent: false, ...options, signal: patience() },
      async (response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of response) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString();
          const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { error?: string };
          resolve({ status: response.statusCode ?? 0, error, text });
        } catch (error) {
          reject(error);
        }
      },
    );
    sending.on('error', reject).end(archive === undefined ? undefined : body);
  });
}

/** A site of several files that all say the same, so that a mixture of two shows. */
export function siteOf(mark: string, size = 3_000): Record<string, string> {
  return {
    'index.html': `<p>${mark}</p>\n`.repeat(Math.ceil(size / 20)),
    'a/b.html': `<p>${mark}</p>\n`,
    'a/c.css': `/* ${mark} */\n`.repeat(50),
    'docinfo.yaml': `name: ${mark}\n`,
  };
}

/** The mark of the site that a page belongs to; undefined when the page is not whole. */
export function markOf(page: string): string | undefined {
  const line = page.slice(0, page.indexOf('\n') + 1);
  const isWhole = line !== '' && page === line.repeat(Math.round(page.length / line.length));
  return isWhole ? /^<p>(.*)<\/p>\n$/.exec(line)?.[1] : undefined;
}

export const archiveOf = (mark: string, size?: number) => zipOf(siteOf(mark, size));
