import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { StorageEngine } from 'multer';
import type { ReceivedUpload, UploadVersion } from '../../../../application/index.js';
import { type Actor, SOURCE_FACTS, type ToldSource } from '../../../../domain/index.js';
import { HttpFault } from '../../errors.js';

/** Max. bytes in a multipart body beside the file: boundaries, part headers, small fields. */
const MAX_MULTIPART_OVERHEAD = 64 * 1024;
const LIMITS = {
  fields: 100,
  fieldSize: 64 * 1024,
  fieldNameSize: 200,
  fieldNestingDepth: 1,
  fieldArrayIndexLimit: 100,
  headerPairs: 100,
};

/**
 * Streams the one file of a multipart upload into the store, also of a client that waits for `100 Continue`. Rejects at
 * the first fault, while the client may still be sending.
 * @throws HttpFault `invalid_request`, with status 408 when it comes too slowly, with 400 for a wrong `strict` or `strict_links`; refusals of `UploadVersion.receive`
 */
export async function receiveUpload(
  ctx: Context,
  actor: Actor,
  uploadVersion: UploadVersion,
  pace: UploadPace,
): Promise<ReceivedForm> {
  if (ctx.get('Expect').toLowerCase() === '100-continue') ctx.res.writeContinue();
  // Loaded on demand, for servers without uploads.
  const { default: multer } = await import('@koa/multer');
  // multer waits forever for the end of a request that has ended before it listens.
  if (ctx.req.destroyed) throw clientLeft();
  const { maxUploadBytes } = uploadVersion;
  const maxBodyBytes = Math.min(Number(ctx.get('Content-Length')) || maxUploadBytes, maxUploadBytes);
  let stopWatching = () => {};
  return new Promise<ReceivedForm>((resolve, reject) => {
    let receiving: Promise<ReceivedUpload> | undefined;
    let refused: Error | undefined;
    let files = 0;
    let content: Readable | undefined;
    let isInFile = false;
    let besideFile = 0;
    // Completes before any response, so that clients can rely on nothing being stored.
    const discard = () =>
      (receiving ?? Promise.reject()).then((upload) => uploadVersion.discard(upload)).catch(() => {});
    // multer reports an error only after the whole body; this reports it at once.
    const refuse = (error: Error, callback: (error: Error) => void) => {
      refused ??= error;
      void discard().then(() => reject(error));
      callback(error);
    };
    stopWatching = watchPace(ctx.req, pace, maxBodyBytes, (fault) => {
      refused ??= fault;
      content?.destroy(fault);
      void discard().then(() => reject(fault));
    });
    const storage: StorageEngine = {
      _handleFile: (_request, file, callback) => {
        content = file.stream;
        isInFile = true;
        file.stream.once('end', () => {
          isInFile = false;
        });
        const declared = Number(ctx.get('Content-Length')) - MAX_MULTIPART_OVERHEAD;
        receiving = uploadVersion.receive(actor, file.originalname, file.stream, declared);
        receiving.then(
          () => callback(null, {}),
          (error: Error) => refuse(error, callback),
        );
      },
      _removeFile: (_request, _file, callback) => {
        discard().then(() => callback(null), callback);
      },
    };
    const form = multer({
      storage,
      limits: LIMITS,
      // The domain extracts the base name, whichever system the path came from.
      preservePath: true,
      defParamCharset: 'utf8',
      fileFilter: (_request, file, callback) => {
        files += 1;
        // A file that begins after the response is dropped.
        if (refused !== undefined) callback(refused);
        else if (files > 1) refuse(new HttpFault('invalid_request', 'Send one file at a time'), callback);
        else if (file.fieldname !== 'file') refuse(noFile(), callback);
        else callback(null, true);
      },
    });
    // The parser skips any amount of data outside of parts.
    const measure = (chunk: Buffer) => {
      if (isInFile || refused !== undefined) return;
      besideFile += chunk.length;
      if (besideFile <= MAX_MULTIPART_OVERHEAD) return;
      ctx.req.off('data', measure);
      const tooMuch = `The form has more than ${MAX_MULTIPART_OVERHEAD} bytes besides the file; send only the file part`;
      refuse(new HttpFault('invalid_request', tooMuch), () => {});
    };
    form
      .any()(ctx, async () => {})
      .then(
        () => {
          // A refused upload is being discarded, even if the form has ended meanwhile.
          if (refused !== undefined) return;
          if (receiving === undefined) reject(noFile());
          else {
            const read = receiving.then((received) => ({ received, fields: fieldsIn(ctx) }));
            read.then(resolve, (error: Error) => refuse(error, () => {}));
          }
        },
        // A short body that is no longer read fails as aborted; `refused` is the real reason.
        (error: unknown) => {
          const isAbort = (error as { code?: unknown } | null)?.code === 'ABORT_ERR';
          void discard().then(() => reject(isAbort && refused ? refused : faultOf(ctx, error)));
        },
      );
    // Registered after the parser's listener, which then knows where in a chunk the file begins.
    ctx.req.on('data', measure);
  }).finally(() => stopWatching());
}

/** A form that has come whole, with its archive in the store. */
export interface ReceivedForm {
  readonly received: ReceivedUpload;
  readonly fields: UploadFields;
}

interface UploadFields {
  readonly expires: string | undefined;
  readonly strict: boolean;
  readonly strictLinks: boolean;
  readonly source: ToldSource;
}

/**
 * Returns the fields of a received form. Empty ones count as absent, as forms send them; several `expires`, or facts about the
 * source, make an invalid text.
 * @throws HttpFault `invalid_request` for a `strict` or `strict_links` that is neither `true` nor `false`
 */
function fieldsIn({ request }: Context): UploadFields {
  const { body = {} } = request as { body?: Readonly<Record<string, unknown>> };
  const told = SOURCE_FACTS.flatMap((fact) => {
    const text = textIn(body, `source_${fact}`);
    return text === undefined ? [] : [[fact, text]];
  });
  return {
    expires: textIn(body, 'expires'),
    strict: flagIn(body, 'strict'),
    strictLinks: flagIn(body, 'strict_links'),
    source: Object.fromEntries(told),
  };
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const { [name]: value = '' } = body;
  if (value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function flagIn(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const { [name]: value = '' } = body;
  if (value !== '' && value !== 'true' && value !== 'false') {
    throw new HttpFault('invalid_request', `Give '${name}' once, as 'true' or 'false'`);
  }
  return value === 'true';
}

function noFile(): HttpFault {
  return new HttpFault(
    'invalid_request',
    "The form has no file part named 'file'; curl sends one with -F file=@<name>",
  );
}

function clientLeft(): HttpFault {
  return new HttpFault('invalid_request', 'The client disconnected before the upload was complete');
}

/** Maps multer's errors to faults of the form; others pass through. */
function faultOf(ctx: Context, error: unknown): unknown {
  const isForm = error instanceof Error && (error.name === 'MulterError' || !('code' in error));
  if (!isForm) return error;
  if (ctx.req.destroyed && !ctx.req.complete) return clientLeft();
  return new HttpFault('invalid_request', `The form cannot be read: ${error.message}`);
}

/** Min. rates and time limits of an upload. */
export interface UploadPace {
  /** Interval between checks of a running upload, in milliseconds. */
  readonly windowMs: number;
  /** Min. rate in each interval, in bytes per second. */
  readonly minBytesPerSecond: number;
  /** Time allowed for an upload of any size, in milliseconds; more for its size, see `minOverallBytesPerSecond`. */
  readonly graceMs: number;
  /** Min. rate of the whole upload once `graceMs` have passed, in bytes per second. */
  readonly minOverallBytesPerSecond: number;
}

export const DEFAULT_UPLOAD_PACE: UploadPace = {
  windowMs: 60_000,
  minBytesPerSecond: 1_024,
  graceMs: 600_000,
  minOverallBytesPerSecond: 64 * 1_024,
};

/**
 * Watches the rate of an upload's body: uploads are limited in number, and a client that sends a byte now and then
 * would hold its place forever.
 * @param bodyBytes size of the body, or its limit
 * @param onTooSlow called at most once: `invalid_request` with status 408 (RFC 9110 section 15.5.9)
 * @returns a function that stops watching
 */
export function watchPace(
  request: IncomingMessage,
  { windowMs, minBytesPerSecond, graceMs, minOverallBytesPerSecond }: UploadPace,
  bodyBytes: number,
  onTooSlow: (fault: HttpFault) => void,
): () => void {
  const { socket } = request;
  const deadline = performance.now() + graceMs + (bodyBytes / minOverallBytesPerSecond) * 1_000;
  let bytesBefore = socket.bytesRead;
  const timer = setInterval(() => {
    const bytes = socket.bytesRead - bytesBefore;
    bytesBefore = socket.bytesRead;
    const isSlow = bytes < (windowMs / 1_000) * minBytesPerSecond;
    // Unread bytes mean that the disk is slow, not the client.
    if (request.readableLength > 0 || !(isSlow || performance.now() > deadline)) return;
    stop();
    const rate = isSlow ? minBytesPerSecond : minOverallBytesPerSecond;
    const why = `The upload was too slow, at less than ${rate} bytes per second; nothing was changed. Try again on a faster connection`;
    onTooSlow(new HttpFault('invalid_request', why, {}, 408));
  }, windowMs);
  const stop = () => clearInterval(timer);
  return stop;
}
