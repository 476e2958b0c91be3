import type { S3Client } from '@aws-sdk/client-s3';
import { StoreRefused } from './store-errors.js';

const DEFAULT_TIMEOUT_MS = 5_000;
/** Attempts for each request, with growing pauses. So a store that stalls has failed after some 15 seconds. */
const MAX_ATTEMPTS = 3;
const MAX_CONNECTING_MS = 1_900;
/** A request that waits longer than `MAX_CONNECTING_MS` for a free connection fails, so there are plenty. */
const MAX_CONNECTIONS = 256;

/** Address, region, credentials and timeouts for reaching the store. */
export interface StoreConnection {
  /** Address of a store other than AWS, such as `https://s3.example.org`. Buckets are in its path then. */
  readonly endpoint?: string | undefined;
  /** Default: that of the environment or the profile; with an endpoint, `us-east-1`. */
  readonly region?: string | undefined;
  /** Default: the SDK's chain of environment, profile, web identity and role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Longest time, in ms, until an answer begins, and between two pieces of it, each time it is tried. Default 5,000. */
  readonly timeoutMs?: number;
}

/** The parts of the SDK that are used, loaded, with two clients. */
export interface Sdk {
  readonly commands: typeof import('@aws-sdk/client-s3');
  /** For everything but uploads: an answer has to begin within the timeout. */
  readonly client: S3Client;
  /** For uploads: as long as bytes move, they may take any time. */
  readonly uploads: S3Client;
  readonly presign: typeof import('@aws-sdk/s3-request-presigner').getSignedUrl;
  readonly timeoutMs: number;
  /** Noted with each answer, errors included. */
  readonly time: StoreTime;
}

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Loads the SDK, which takes some tenths of a second, and makes its clients. Nothing is sent. */
export async function loadSdk(connection: StoreConnection): Promise<Sdk> {
  // The warning tells developers which versions of the SDK will need a newer Node. Operators have no use for it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const [commands, { getSignedUrl: presign }, { NodeHttpHandler }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
    import('@smithy/node-http-handler'),
  ]);
  const { endpoint, credentials, timeoutMs = DEFAULT_TIMEOUT_MS } = connection;
  const region = connection.region ?? (endpoint === undefined ? undefined : 'us-east-1');
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const common = {
    connectionTimeout: MAX_CONNECTING_MS,
    httpAgent: agent,
    httpsAgent: agent,
    logger: silent,
  };
  const time = new StoreTime();
  const clientWith = (timeouts: object) => {
    const made = new commands.S3Client({
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(region !== undefined && { region }),
      ...(credentials !== undefined && { credentials }),
      // Trailing checksums are refused by stores that do not know them, and some store them as content.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: MAX_ATTEMPTS,
      retryMode: 'standard',
      expectContinueHeader: false,
      logger: silent,
      requestHandler: new NodeHttpHandler({ ...common, ...timeouts }),
    });
    // Next to the connection: what comes after it throws for an answer that is an error.
    made.middlewareStack.add(
      (next) => async (request) => {
        const result = await next(request);
        time.note((result.response as { headers?: Record<string, string> } | undefined)?.headers?.date);
        return result;
      },
      { step: 'deserialize', priority: 'low', name: 'noteTime' },
    );
    return made;
  };
  const client = clientWith({ requestTimeout: timeoutMs, throwOnRequestTimeout: true, socketTimeout: 0 });
  const uploads = clientWith({ socketTimeout: timeoutMs });
  await client.config.region().catch(() => {
    throw new StoreRefused(
      'the region of the store is unknown; set --store-region, or --store-endpoint for a store other than AWS',
    );
  });
  return { commands, client, uploads, presign, timeoutMs, time };
}

/** The time of a store, by the `Date` of its answers, which has whole seconds. */
class StoreTime {
  private answered: { readonly atMs: number; readonly uptimeMs: number } | undefined;

  /** Notes the header of an answer. An answer without one says nothing. */
  note(date: string | undefined): void {
    const atMs = Date.parse(date ?? '');
    if (!Number.isNaN(atMs)) this.answered = { atMs, uptimeMs: performance.now() };
  }

  /** Milliseconds since 1970; undefined before the first answer with a `Date`. */
  now(): number | undefined {
    const { answered } = this;
    return answered && answered.atMs + performance.now() - answered.uptimeMs;
  }
}
