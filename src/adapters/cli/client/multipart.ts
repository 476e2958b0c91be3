import { randomUUID } from 'node:crypto';

export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface FormFile {
  /** Letters, digits, `.`, `_`, `-` and `+` only, so that nothing needs escaping. */
  readonly name: string;
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Returns a streamed form with text fields and one file part named `file`. Its Content-Length is known, so that the server
 * can refuse a large upload by its header, and proxies need not buffer it.
 */
export function formWith(
  file: FormFile,
  fields: Readonly<Record<string, string>>,
  onSent: (bytes: number) => void = () => {},
): Form {
  const boundary = `lectern-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: application/zip\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(head.length + file.size + tail.length),
    },
    body: (async function* () {
      let sent = 0;
      yield head;
      for await (const piece of file.read()) {
        yield piece;
        sent += piece.length;
        onSent(sent);
      }
      yield tail;
    })(),
  };
}
