import { get } from 'node:https';

/** Max. bytes of an answer: keys and their description have some thousands. */
const MAX_BYTES = 1024 ** 2;

/**
 * Reads a JSON document over HTTPS. Follows no redirect.
 * @param url an https address
 * @param ca certificates in PEM that are trusted in place of those of Node
 * @throws Error for another status than 200, an answer that is larger than 1 MiB, or one that is no JSON
 */
export async function getJson(url: string, signal: AbortSignal, ca?: string): Promise<unknown> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { headers: { Accept: 'application/json' }, agent: false, signal, ca };
    get(url, options, (response) => {
      const { statusCode } = response;
      if (statusCode !== 200) {
        response.destroy();
        reject(new Error(`${url} answers ${statusCode}`));
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > MAX_BYTES)
          response.destroy(new Error(`${url} answers with more than ${MAX_BYTES} bytes`));
      });
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    }).on('error', reject);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${url} does not answer with JSON`);
  }
}
