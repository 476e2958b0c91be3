import { setTimeout as sleep } from 'node:timers/promises';
import { jsonIn } from '../../../formats/json.js';
import {
  type Answer,
  type AnswerName,
  answers,
  failure,
  MAX_ANSWER_MS,
  readText,
  type TextBounds,
  tooSlow,
} from './answers.js';
import type { JobIdentity } from './ci-job.js';
import { ClientError, PassingFailure, Retries, type RetryRules } from './client-error.js';
import { sendForm } from './upload-form.js';

export interface ConnectionOptions extends Pick<RetryRules, 'random' | 'now'> {
  /** Address of the server, with its path prefix, if any. */
  readonly url: string;
  readonly token?: string;
  /** Proves what a CI job is, where there is no token. */
  readonly identity?: JobIdentity;
  /** Sent with every request, such as the login of a proxy. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** Called with a sentence for people before a retry, and once while a busy server is waited for. */
  readonly report?: (sentence: string) => void;
  readonly wait?: (ms: number) => Promise<unknown>;
  /**
   * Whether a connection that is refused before any answer ends the request, since somebody waits who can start the server
   * or correct the address. Default: it is tried again, since a server that restarts refuses for a moment.
   */
  readonly endsWhenRefused?: boolean;
  /** Makes a signal that is aborted after this time. */
  readonly deadline?: (ms: number) => AbortSignal;
}

export interface Question {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A body to stream; the request is then a POST. */
  readonly body?: AsyncIterable<Uint8Array>;
  /** A small body to send as JSON. */
  readonly json?: object;
  /** Whether the answer may be as large as a list of everything on the server. */
  readonly isList?: boolean | undefined;
}

const MIB = 1024 ** 2;
const MAX_LIST_BYTES = 64 * MIB;
/** Max. bytes of all other answers. */
const MAX_ANSWER_BYTES = MIB;

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
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'DNS lookup failed',
  EPROTO: 'not an HTTPS server; try http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not an HTTPS server; try http://',
  HPE_INVALID_CONSTANT: 'not an HTTP server',
  // Without a code on Node 26.
  'Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)': 'not an HTTP server',
  UND_ERR_SOCKET: 'connection lost',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no response',
  // undici gives no code for the ports that the Fetch standard blocks.
  'bad port': 'this port is blocked for HTTP',
};

/** HTTP requests to one server. Every response that is not a success is thrown as an error. */
export class Connection {
  /** Address without a trailing `/`. */
  readonly url: string;
  private hasAnswered = false;

  constructor(private readonly options: ConnectionOptions) {
    this.url = checkedUrl(options.url);
    if (/\p{Cc}/u.test(options.token ?? '')) {
      throw new ClientError('usage', 'The token contains a control character, perhaps a line break');
    }
  }

  get hasToken(): boolean {
    return this.options.token !== undefined || this.options.identity !== undefined;
  }

  /**
   * Sends a request once. The caller reads the response, which has no bounds of its own: an archive, or no body at all.
   * @throws PassingFailure when a retry may succeed; ClientError otherwise
   */
  async ask(
    path: string,
    { method = 'GET', headers = {}, body, json }: Question = {},
    deadline?: AbortSignal,
  ): Promise<Response> {
    const { token, identity, userAgent, headers: everywhere } = this.options;
    const sent: Record<string, string> = { Accept: 'application/json, */*;q=0.5', ...everywhere, ...headers };
    if (userAgent !== undefined) sent['User-Agent'] = userAgent;
    // Reads have it, or the identity, as well: the project may be private. Node sends headers as latin1; the server reads
    // them as UTF-8, like the tokens file.
    if (token !== undefined) sent['X-Token'] = Buffer.from(token, 'utf8').toString('latin1');
    else if (identity !== undefined) {
      sent.Authorization = `Bearer ${await identity.token(this.url)}`;
    }
    if (json !== undefined) sent['Content-Type'] = 'application/json';
    const content = json === undefined ? {} : { body: JSON.stringify(json) };
    const signal = deadline === undefined ? {} : { signal: deadline };
    const url = this.url + path;
    const asked =
      body === undefined
        ? // Following a redirect could turn a request into a GET, or send the token to another host.
          fetch(url, { method, headers: sent, redirect: 'manual', ...content, ...signal })
        : sendForm({ url, headers: sent, body, deadline: this.deadline });
    const response = await asked.catch((error: unknown) => {
      throw deadline?.aborted ? tooSlow(url, error) : this.failureOf(error);
    });
    this.hasAnswered = true;
    if (!response.ok) throw await this.refusalIn(response, this.bounds(path, { deadline }));
    return response;
  }

  /** Sends a request once, and parses the JSON of its response. */
  async askFor<Name extends AnswerName>(
    path: string,
    name: Name,
    question: Question = {},
  ): Promise<Answer<Name>> {
    const read = answers[name].safeParse(jsonIn(await this.askForText(path, question)));
    if (read.success) return read.data as Answer<Name>;
    throw new ClientError(
      'unreachable',
      `Unexpected response from ${this.url}: is it a documentation server?`,
    );
  }

  /** Sends a request once, and reads its response as text. */
  async askForText(path: string, question: Question = {}): Promise<string> {
    const { body, isList } = question;
    // An upload may take any time.
    const deadline = body === undefined ? this.deadline(MAX_ANSWER_MS) : undefined;
    const response = await this.ask(path, question, deadline);
    return readText(response, this.bounds(path, { deadline, isList }));
  }

  private readonly deadline = (ms: number): AbortSignal => (this.options.deadline ?? AbortSignal.timeout)(ms);

  private bounds(
    path: string,
    { isList = false, deadline }: Pick<Question, 'isList'> & { readonly deadline: AbortSignal | undefined },
  ): TextBounds {
    return {
      url: this.url + path,
      maxBytes: isList ? MAX_LIST_BYTES : MAX_ANSWER_BYTES,
      deadline: deadline ?? this.deadline(MAX_ANSWER_MS),
    };
  }

  /** Sends an idempotent request, and parses the JSON of its response, with retries: also of a response that breaks off. */
  async askAgain<Name extends AnswerName>(
    path: string,
    name: Name,
    question: Question = {},
  ): Promise<Answer<Name>> {
    return this.persist(() => this.askFor(path, name, question));
  }

  /**
   * Retries `attempt` on temporary failures. Tells it whether an earlier attempt may have been carried out.
   * @param rules.isPatient while the server answers 503, the request is sent again for ten minutes
   */
  async persist<T>(
    attempt: (isInDoubt: boolean) => Promise<T>,
    rules: Pick<RetryRules, 'isPatient'> = {},
  ): Promise<T> {
    const { report, wait = sleep, random, now } = this.options;
    const retries = new Retries({ ...rules, random, now });
    let isInDoubt = false;
    for (;;) {
      try {
        return await attempt(isInDoubt);
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
        const retry = retries.after(error);
        if (retry === undefined) throw new ClientError('unreachable', error.message, { cause: error });
        isInDoubt ||= error.isInDoubt;
        if (retry.sentence !== undefined) report?.(retry.sentence);
        await wait(retry.delayMs);
      }
    }
  }

  private failureOf(error: unknown): Error {
    if (error instanceof ClientError) return error;
    // fetch wraps the error in `cause`.
    const cause = (error as { cause?: unknown }).cause ?? error;
    const { code = '', message, syscall } = cause as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? REASONS[message] ?? message;
    const sentence = `Cannot reach ${this.url}: ${reason}`;
    const isFinal = code === 'ECONNREFUSED' && this.options.endsWhenRefused && !this.hasAnswered;
    const isNotSent = NOT_CONNECTED.has(code) || (code === 'ETIMEDOUT' && syscall === 'connect');
    if (isFinal || (!isNotSent && !CUT_OFF.has(code)))
      return new ClientError('unreachable', sentence, { cause: error });
    return new PassingFailure(sentence, { isInDoubt: !isNotSent, cause: error });
  }

  private async refusalIn(response: Response, bounds: TextBounds): Promise<Error> {
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const target = response.headers.get('location') ?? 'another address';
      return new ClientError(
        'unreachable',
        `${this.url} redirects to ${target}; use the new address of the server`,
      );
    }
    const text = await readText(response, bounds).catch((error: unknown) => {
      // The status says enough.
      if (error instanceof PassingFailure) return undefined;
      throw error;
    });
    const read = failure.safeParse(jsonIn(text ?? ''));
    const said = read.success ? (read.data.message ?? read.data.error) : undefined;
    const message = said ?? `${this.url} returned ${status} ${response.statusText}`.trimEnd();
    const after = retryAfterMs(response.headers.get('retry-after'));
    if ([502, 503, 504].includes(status)) {
      // A server that says when to retry did nothing.
      const isInDoubt = status !== 503 || after === undefined;
      return new PassingFailure(message, { isInDoubt, status, retryAfterMs: after });
    }
    if (said === undefined && status === 404) {
      return new ClientError('unreachable', `No documentation server at ${this.url}`, { status });
    }
    const { error: code, warnings } = read.success ? read.data : {};
    return new ClientError('refused', message, { status, code, warnings });
  }
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const hasMore =
    url !== undefined && [url.search, url.hash, url.username, url.password].some((part) => part !== '');
  if (url === undefined || !/^https?:$/.test(url.protocol) || hasMore) {
    // Not quoted with an `@`: in front of it there may be a password.
    const why = text.includes('@')
      ? '; send the credentials for a proxy in a header, Authorization'
      : `, not ${text}`;
    throw new ClientError('usage', `The server address must look like https://docs.example.org${why}`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
