import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { LoggedRequest } from '../../application/index.js';

/** Max. bytes of a line. Web servers take shorter requests; a longer line cannot be read. */
const MAX_LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const TIME = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The access log of a web server, plain or compressed with gzip. It is read once, from its beginning. */
export class AccessLog {
  /** Lines that are in no known format. */
  unreadable = 0;
  private readonly lines: AsyncGenerator<string>;
  private firstLine: string | undefined;

  /** @param source a file, or `-` for stdin */
  constructor(source: string) {
    const input = source === '-' ? process.stdin : createReadStream(source);
    this.lines = linesOf(unzipped(input));
  }

  /**
   * Reads the first line, and returns a name for the log: the same one when the log has grown, was renamed or compressed.
   * Undefined for a log without a line.
   * @throws an error with an errno code, or of zlib
   */
  async identify(): Promise<string | undefined> {
    const { value, done } = await this.lines.next();
    if (done === true) return undefined;
    this.firstLine = value;
    const hash = createHash('sha256').update(value, 'latin1').digest('hex');
    return `log-${hash.slice(0, 32)}`;
  }

  /** Yields the requests, after `identify`. @throws as `identify` */
  async *requests(): AsyncGenerator<LoggedRequest> {
    if (this.firstLine !== undefined) yield* this.read(this.firstLine);
    for await (const line of this.lines) yield* this.read(line);
  }

  private *read(line: string): Generator<LoggedRequest> {
    const request = parseLine(line);
    if (request === undefined) this.unreadable += 1;
    else yield request;
  }
}

/** Decompresses what begins like gzip. */
async function* unzipped(input: Readable): AsyncGenerator<Buffer> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await chunks.next();
  if (first.done === true) return;
  const all = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  // An error of the input ends the decompressed stream with the same error.
  yield* isGzip ? pipeline(Readable.from(all), createGunzip(), () => {}) : all;
}

/**
 * Yields complete lines. The last one is left out as long as no newline ends it, since it is still being written. Lines are
 * cut at `MAX_LINE_BYTES`.
 */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([rest, chunk.subarray(from, end)]).toString('latin1', 0, MAX_LINE_BYTES);
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    if (rest.length < MAX_LINE_BYTES)
      rest = Buffer.concat([rest, chunk.subarray(from, from + MAX_LINE_BYTES)]);
  }
}

/** `… [time] "request" status bytes "referrer" "user agent"`; the common format lacks the last two. */
const LINE =
  /^[^[]*\[([^\]]{1,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (?:\d+|-)(?: "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)")?/;

/** Reads a line of an access log in the combined or the common format; undefined for anything else. */
export function parseLine(line: string): LoggedRequest | undefined {
  const [, at = '', request = '', status, userAgent] = LINE.exec(line) ?? [];
  const time = timeOf(at);
  const [, method, target] = /^([A-Z]+) (\/\S*)(?: HTTP\/[\d.]+)?$/.exec(request) ?? [];
  if (time === undefined || method === undefined || target === undefined) return undefined;
  const [sent = ''] = target.split(/[?#]/, 1);
  // Web servers write bytes that are no letters as \xC3; in a URL the same byte is %C3.
  const path = sent.replaceAll(/\\x([\dA-Fa-f]{2})/g, '%$1');
  const isKnown = userAgent !== undefined && userAgent !== '-';
  return { time, method, path, status: Number(status), userAgent: isKnown ? userAgent : undefined };
}

function timeOf(text: string): Date | undefined {
  const [, day, name = '', year, hour, minute, second, sign, ofHours, ofMinutes] = TIME.exec(text) ?? [];
  const month = MONTHS.indexOf(name);
  if (month === -1) return undefined;
  const local = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  const offsetMs = (Number(ofHours) * 60 + Number(ofMinutes)) * 60_000;
  return new Date(sign === '+' ? local - offsetMs : local + offsetMs);
}
