import { createInterface } from 'node:readline';
import { visible } from '../../../domain/index.js';
import { jsonIn } from '../../../formats/json-in.js';
import { ClientError, type LecternClient } from '../client/index.js';
import { EXIT } from '../exit-codes.js';
import type { Call } from './client-call.js';

/** Requests that are sent at the same time. */
const MAX_CONCURRENT = 8;
/** JSON-RPC's numbers: no JSON, and a failure of the server or on the way to it. */
const PARSE_ERROR = -32_700;
const UNREACHABLE = -32_000;
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** A message of JSON-RPC, as far as the relay reads it. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown };
  readonly error?: unknown;
}

/**
 * Relays the Model Context Protocol from stdin to `/-/mcp` of a server, and the answers to stdout: a message a line. Ends
 * with stdin, once all is answered.
 */
export async function relayMcp({ client, terminal }: Call): Promise<number> {
  const relay = new Relay(client);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const answered = relay.answersTo(line).then((answers) => {
      for (const answer of answers) terminal.out.write(`${JSON.stringify(answer)}\n`);
    });
    running.add(answered);
    void answered.finally(() => running.delete(answered));
    if (running.size >= MAX_CONCURRENT) await Promise.race(running);
  }
  await Promise.all(running);
  return EXIT.done;
}

class Relay {
  /** The revision that `initialize` has agreed on; clients of 2026 name theirs in each request. */
  private version: string | undefined;

  constructor(private readonly client: LecternClient) {}

  /** Returns the answers to one line. Never throws for what the server or the network does: the client is told. */
  async answersTo(line: string): Promise<readonly object[]> {
    const message = parsed(line);
    if (message === undefined) return [failure(null, PARSE_ERROR, 'Not a JSON object')];
    try {
      const answers = answersIn(await this.client.mcp(message, this.headersOf(message)));
      for (const { result } of answers) {
        if (message.method === 'initialize' && typeof result?.protocolVersion === 'string')
          this.version = result.protocolVersion;
      }
      if (message.id === undefined) return answers;
      if (answers.length === 0) return [failure(message.id, UNREACHABLE, 'The server gave no answer')];
      return answers.map((answer) => withId(answer, message.id));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      return message.id === undefined ? [] : [failure(message.id, UNREACHABLE, visible(error.message))];
    }
  }

  /** What the revision of 2026-07-28 wants as headers beside the message, and what those of 2025 want after `initialize`. */
  private headersOf({ method, params }: Message): Readonly<Record<string, string>> {
    const own = params?._meta?.[VERSION];
    const version = typeof own === 'string' ? own : this.version;
    const headers: Record<string, string> = {};
    if (isHeader(version)) headers['MCP-Protocol-Version'] = version;
    if (typeof own !== 'string') return headers;
    if (isHeader(method)) headers['Mcp-Method'] = method;
    if (isHeader(params?.name)) headers['Mcp-Name'] = params.name;
    return headers;
  }
}

function parsed(line: string): Message | undefined {
  const value = jsonIn(line);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** The messages of an answer: JSON, or server-sent events with one each. */
function answersIn(text: string): readonly Message[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const data = Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, json = '']) => parsed(json));
  return data.flatMap((message) => message ?? []);
}

/** A refusal before the message was read has no id, and the server's own refusals are no JSON-RPC. */
function withId(answer: Message, id: unknown): object {
  if (answer.id !== undefined && answer.id !== null) return answer;
  if (typeof answer.error === 'object' && answer.error !== null) return { ...answer, id };
  const { message } = answer as { readonly message?: unknown };
  return typeof message === 'string' ? failure(id, UNREACHABLE, visible(message)) : answer;
}

function failure(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Whether a value can be sent in a header as it is. */
function isHeader(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}
