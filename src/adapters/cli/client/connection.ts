import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { failure } from './answers.js';
import { ClientError, PassingFailure } from './client-error.js';
import { sendForm } from './send-form.js';

export interface ConnectionOptions {
  /** Address of the server, with its path prefix, if any. */
  readonly url: string;
  readonly token?: string;
  /** Sent with every request, such as the login of a proxy. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** Called with a sentence for people before each retry. */
  readonly report?: (sentence: string) => void;
  readonly wait?: (ms: number) => Promise<unknown>;
}

export interface Question {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A body to stream; the request is then a POST. */
  readonly body?: AsyncIterable<Uint8Array>;
  /** A small body to send as JSON. */
  readonly json?: object;
  readonly withToken?: boolean;
}

/** Max. attempts of a request, the first included. */
const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1_000;
/** Max. delay before a retry. A longer `Retry-After` ends the retries. */
const MAX_DELAY_MS = 60_000;

/** Codes of temporary errors before anything was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Codes of temporary errors after a connection was made. Others are final: wrong names, ports, certificates, protocols. */
const CUT_OFF = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'the machine cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name could not be looked up',
  EPROTO: 'it does not speak HTTPS; perhaps the address begins with http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS; perhaps the address begins with http://',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP',
  // Without a code on Node 26.
  'Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)': 'it does not speak HTTP',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came',
  // undici gives no code for the ports that the Fetch standard blocks.
  'bad port': 'no web server may use that port',
};

/** HTTP requests to one server. Every response that is not a success is thrown as an error. */
export class Connection {
  /** Address without a trailing `/`. */
  readonly url: string;

  constructor(private readonly options: ConnectionOptions) {
    this.url = checkedUrl(options.url);
    if (/\p{Cc}/u.test(options.token ?? '')) {
      throw new ClientError('usage', 'The token has a control character in it, perhaps the end of a line');
    }
  }

  get hasToken(): boolean {
    return this.options.token !== undefined;
  }

  /**
   * Sends a request once.
   * @throws PassingFailure when a retry may succeed; ClientError otherwise
   */
  async ask(
    path: string,
    { method = 'GET', headers = {}, body, json, withToken }: Question = {},
  ): Promise<Response> {
    const { token, userAgent, headers: everywhere } = this.options;
    const sent: Record<string, string> = { Accept: 'application/json, */*;q=0.5', ...everywhere, ...headers };
    if (userAgent !== undefined) sent['User-Agent'] = userAgent;
    // Node sends headers as latin1; the server reads them as UTF-8, like the tokens file.
    if (withToken && token !== undefined) sent['X-Token'] = Buffer.from(token, 'utf8').toString('latin1');
    if (json !== undefined) sent['Content-Type'] = 'application/json';
    const content = json === undefined ? {} : { body: JSON.stringify(json) };
    const url = this.url + path;
    const asked =
      body === undefined
        ? // Following a redirect could turn a request into a GET, or send the token to another host.
          fetch(url, { method, headers: sent, redirect: 'manual', ...content })
        : sendForm(url, sent, body);
    const response = await asked.catch((error: unknown) => {
      throw this.failureOf(error);
    });
    if (!response.ok) throw await this.refusalIn(response);
    return response;
  }

  /** Sends an idempotent request, and parses the JSON of its response, with retries: also of a response that breaks off. */
  async askAgain<T>(path: string, schema: z.ZodType<T>, question: Question = {}): Promise<T> {
    return this.persist(async () => this.json(await this.ask(path, question), schema));
  }

  /**
   * Retries `attempt` on temporary failures, with exponential backoff. Tells it whether an earlier attempt may have been
   * carried out.
   */
  async persist<T>(attempt: (isInDoubt: boolean) => Promise<T>): Promise<T> {
    let isInDoubt = false;
    for (let number = 1; ; number++) {
      try {
        return await attempt(isInDoubt);
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
        const delay = error.retryAfterMs ?? FIRST_DELAY_MS * 2 ** (number - 1);
        if (number >= MAX_ATTEMPTS || delay > MAX_DELAY_MS) {
          throw new ClientError('unreachable', error.message, { cause: error });
        }
        isInDoubt ||= error.isInDoubt;
        this.options.report?.(`${error.message}; trying again in ${Math.ceil(delay / 1_000)} s`);
        await (this.options.wait ?? sleep)(delay);
      }
    }
  }

  /** Parses the JSON of a response with a schema. */
  async json<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
    const body = await jsonOf(response);
    const read = schema.safeParse(body);
    if (read.success) return read.data;
    throw new ClientError('unreachable', `${this.url} does not answer as a documentation server does`);
  }

  private failureOf(error: unknown): Error {
    if (error instanceof ClientError) return error;
    // fetch wraps the error in `cause`.
    const cause = (error as { cause?: unknown }).cause ?? error;
    const { code = '', message, syscall } = cause as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? REASONS[message] ?? message;
    const sentence = `${this.url} cannot be reached: ${reason}`;
    const isNotSent = NOT_CONNECTED.has(code) || (code === 'ETIMEDOUT' && syscall === 'connect');
    if (!isNotSent && !CUT_OFF.has(code)) return new ClientError('unreachable', sentence, { cause: error });
    return new PassingFailure(sentence, { isInDoubt: !isNotSent, cause: error });
  }

  private async refusalIn(response: Response): Promise<Error> {
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const target = response.headers.get('location') ?? 'somewhere else';
      return new ClientError(
        'unreachable',
        `${this.url} redirects to ${target}; use the address it has there`,
      );
    }
    const read = failure.safeParse(await jsonOf(response).catch(() => undefined));
    const said = read.success ? (read.data.message ?? read.data.error) : undefined;
    const message = said ?? `${this.url} answered ${status} ${response.statusText}`.trimEnd();
    const after = retryAfterMs(response.headers.get('retry-after'));
    if ([502, 503, 504].includes(status)) {
      // A server that says when to retry did nothing.
      const isInDoubt = status !== 503 || after === undefined;
      return new PassingFailure(message, { isInDoubt, retryAfterMs: after });
    }
    if (said === undefined && status === 404) {
      return new ClientError('unreachable', `There is no documentation server at ${this.url}`, { status });
    }
    const code = read.success ? read.data.error : undefined;
    return new ClientError('refused', message, { status, code });
  }
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '') {
    const login = url?.username ? "; a proxy's login goes into a header, Authorization" : '';
    const shown = login === '' ? `, not ${text}` : '';
    throw new ClientError(
      'usage',
      `The address of the server has to look like https://docs.example.org${shown}${login}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** @throws PassingFailure when the response breaks off */
export async function textOf(response: Response): Promise<string> {
  return response.text().catch((error: unknown) => {
    throw new PassingFailure('The answer broke off', { isInDoubt: true, cause: error });
  });
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await textOf(response);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
