import assert from 'node:assert/strict';
import { attributes } from '../web/samples.js';

/** The addresses that an answer of the server holds, as they stand in it. */
function addressesIn(type: string, text: string): readonly string[] {
  if (type.startsWith('text/html')) {
    return ['href', 'src', 'action', 'data-specification'].flatMap((name) => attributes(text, name));
  }
  if (type.startsWith('application/json')) {
    const { servers, ...rest } = JSON.parse(text);
    // The server's address in an API description is not a page; paths are relative to it.
    return rest.openapi === undefined ? addressesInJson({ servers, ...rest }) : [];
  }
  return [];
}

/** Every text in JSON that is a rooted path, but the paths of an API's description, which are relative to its servers. */
function addressesInJson(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith('/') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(addressesInJson);
}

/** Addresses that a crawl has visited, each with the media type of its answer. */
export type Crawled = ReadonlyMap<string, string>;

/**
 * Follows everything that leads on from some pages, and asserts that it stays below `base` and leads to something.
 * @param base a whole address without a `/` at its end
 * @param missing pages to begin with that are answered with 404
 */
export async function crawl(
  base: string,
  starts: readonly string[],
  missing: readonly string[] = [],
): Promise<Crawled> {
  const crawled = new Map<string, string>();
  const expected = new Map(missing.map((path) => [base + path, 404]));
  const ahead = [...starts.map((path) => base + path), ...expected.keys()].map((url) => ({
    url,
    from: 'start',
  }));
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { url, from } = next;
    if (crawled.has(url)) continue;
    assert.ok(url.startsWith(`${base}/`), `${from} leads out: ${url}`);
    const answer = await fetch(url, { redirect: 'manual' });
    const type = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    crawled.set(url, type);
    const location = answer.headers.get('location');
    const isRedirect = answer.status === 302 || answer.status === 308;
    if (!isRedirect) assert.equal(answer.status, expected.get(url) ?? 200, `${from} leads to ${url}`);
    for (const to of isRedirect ? [location ?? ''] : addressesIn(type, text)) {
      assert.doesNotMatch(to, /^[a-z]+:|^\/\//i, `${url} has a whole address`);
      const followed = new URL(to, url);
      followed.hash = '';
      ahead.push({ url: followed.href, from: url });
    }
  }
  return crawled;
}
