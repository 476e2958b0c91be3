import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Look, NothingThere, ToolFault, type Waiter } from '../../../application/index.js';
import { Refusal } from '../../../domain/index.js';
import { INSTRUCTIONS, MORE_FOR_OTHERS, type Tool, type Tools } from './tools.js';

const MAX_CHARACTERS = 500;
/** A path has up to 1,024 bytes, each of which may be percent-encoded in an address. */
const MAX_ADDRESS = 4_000;
const TOKENS = { least: 200, most: 8_000 };

/** Names that models guess, and what they mean. */
const MEANT: Readonly<Record<string, string>> = {
  library: 'project',
  libraryName: 'project',
  library_name: 'project',
  package: 'project',
  name: 'project',
  q: 'query',
  question: 'query',
  topic: 'query',
  search: 'query',
  page: 'path',
  url: 'path',
  address: 'path',
  uri: 'path',
  section: 'anchor',
  tokens: 'max_tokens',
  maxTokens: 'max_tokens',
  limit: 'max_tokens',
  directory: 'under',
  prefix: 'under',
  before: 'from',
  from_version: 'from',
  after: 'to',
  to_version: 'to',
};
const ADDRESSES = new Set(['path', 'under']);
/** Arguments that are taken but not listed. */
const UNLISTED = new Set(['anchor']);

/** Form of the answer to a message: a JSON body, one server-sent event, or as the SDK has it for the revision of the protocol. */
export type AnswerForm = 'json' | 'sse' | 'either';

/** How long clients may keep the list of tools, in milliseconds. */
const LIST_MS = 3_600_000;

interface McpCaller {
  readonly look: Look;
  /** Returns the path address for an address of a page, which may be on the host of a project; other texts as they are. */
  byPath(text: string): string;
  readonly waiter: Waiter;
  /** Whether others may read more. */
  readonly isRestricted: boolean;
  /** Called with what a tool has thrown. */
  failed(error: unknown): void;
}

/**
 * Answers one request of the Model Context Protocol: of revision 2026-07-28, or of a revision of 2025 without a session. Nothing
 * is kept between requests, so any server can answer any of them.
 */
export async function answerMcp(
  tools: Tools,
  version: string,
  caller: McpCaller,
  request: Request,
  form: AnswerForm,
): Promise<Response> {
  const server = () => serverFor(tools, version, caller);
  if (form === 'json' && (await isLegacyRequest(request))) {
    // The SDK's handler answers clients of 2025 with events only.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server().connect(transport);
    return transport.handleRequest(request);
  }
  const handler = createMcpHandler(server, {
    // Nothing changes that a client could subscribe to.
    maxSubscriptions: 0,
    // JSON by default: no tool tells of its progress.
    ...(form === 'sse' && { responseMode: 'sse' }),
  });
  return handler.fetch(request);
}

function serverFor(tools: Tools, version: string, caller: McpCaller): Server {
  const { look, waiter, isRestricted, failed } = caller;
  const more = (text: string) => `${text} ${MORE_FOR_OTHERS}`;
  const hint = { ttlMs: LIST_MS, cacheScope: 'public' } as const;
  const server = new Server(
    { name: 'lectern', version },
    {
      capabilities: { tools: {} },
      instructions: isRestricted ? more(INSTRUCTIONS) : INSTRUCTIONS,
      cacheHints: { 'tools/list': hint, 'server/discover': hint },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(tools).map(([name, { description, properties, required }]) => ({
      name,
      description,
      inputSchema: { type: 'object', properties, ...(required && { required }) },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { name, arguments: given = {} } = params;
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name.slice(0, 100)}'`);
    const content = (text: string) => [{ type: 'text' as const, text }];
    try {
      return { content: content(await tool.answer(look, questionIn(name, tool, given, caller), waiter)) };
    } catch (error) {
      // Faults and refusals are answers for the model, too.
      if (error instanceof ToolFault || error instanceof Refusal) {
        const isEmpty = error instanceof NothingThere;
        return {
          content: content(isEmpty && isRestricted ? more(error.message) : error.message),
          isError: true,
        };
      }
      // The SDK would send its message, which is about the server's inside.
      failed(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server failed');
    }
  });
  return server;
}

/**
 * Returns the question in the arguments of a call. Numbers may be text, and the reverse; unknown names are left out.
 * @param byPath path address for the address of a page
 * @throws ToolFault that says what is wrong with them
 */
function questionIn(
  name: string,
  { properties, required = [] }: Tool,
  given: Readonly<Record<string, unknown>>,
  { byPath }: { byPath(address: string): string },
): never {
  const known = (argument: string) => Object.hasOwn(properties, argument) || UNLISTED.has(argument);
  const read: Record<string, string | number | readonly string[]> & { maxTokens?: number } = {};
  for (const [key, value] of Object.entries(given)) {
    const meant = known(key) ? key : meantBy(key, known);
    if (meant === undefined || value === null || value === undefined || value === '') continue;
    // A name as it is listed wins over a guessed one.
    if (meant !== key && given[meant] !== undefined) continue;
    if (properties[meant]?.type === 'array') {
      read[meant] = textsIn(meant, value);
      continue;
    }
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new ToolFault(`'${meant}' must be a ${properties[meant]?.type ?? 'string'}.`);
    if (meant === 'max_tokens') {
      const tokens = Number(value);
      if (!Number.isFinite(tokens)) throw new ToolFault("'max_tokens' must be a number.");
      read.maxTokens = Math.min(TOKENS.most, Math.max(TOKENS.least, Math.floor(tokens)));
    } else {
      throwIfTooLong(meant, `${value}`, ADDRESSES.has(meant) ? MAX_ADDRESS : MAX_CHARACTERS);
      read[meant] = meant === 'path' ? byPath(`${value}`) : `${value}`;
    }
  }
  const missing = required.filter((argument) => read[argument] === undefined);
  if (missing.length > 0) {
    const names = Object.keys(properties).join(', ');
    throw new ToolFault(`Give ${missing.map((each) => `'${each}'`).join(' and ')}. ${name} takes ${names}.`);
  }
  // Arguments have the names of the question's fields.
  return read as never;
}

/** Texts of an argument that is a list; a single one is a list of one. */
function textsIn(argument: string, value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.map((text) => {
    if (typeof text !== 'string') throw new ToolFault(`'${argument}' must be a list of strings.`);
    throwIfTooLong(argument, text, MAX_CHARACTERS);
    return text;
  });
}

function throwIfTooLong(argument: string, text: string, most: number): void {
  if (text.length > most) throw new ToolFault(`'${argument}' has more than ${most} characters.`);
}

function meantBy(key: string, known: (argument: string) => boolean): string | undefined {
  if (!Object.hasOwn(MEANT, key)) return undefined;
  const meant = MEANT[key] as string;
  if (known(meant)) return meant;
  // A search for projects looks for their names.
  return meant === 'project' && known('query') ? 'query' : undefined;
}
