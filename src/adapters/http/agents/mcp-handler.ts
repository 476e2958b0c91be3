import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Look, toolAnswer, type Waiter } from '../../../application/index.js';
import { readArguments } from './tool-arguments.js';
import { INSTRUCTIONS, MORE_FOR_OTHERS, type Tools } from './tools.js';

/** Form of the answer to a message: a JSON body, one server-sent event, or as the SDK has it for the revision of the protocol. */
export type AnswerForm = 'json' | 'sse' | 'either';

/** How long clients may keep the list of tools, in milliseconds. */
const LIST_MS = 3_600_000;

/** Who calls. */
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
 * Answers one request of the Model Context Protocol: of revision 2026-07-28, or of those of 2025 without a session. Nothing is
 * kept between requests, so any server can answer any of them.
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
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${name.slice(0, 100)}'`);
    const read = readArguments(name, tool, given, caller);
    const answer =
      'fault' in read
        ? { text: read.fault, isError: true, isEmpty: false }
        : await toolAnswer(() => tool.answer(look, read.question, waiter)).catch((error: unknown) => {
            // The SDK would send its message, which is about the server's inside.
            failed(error);
            throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server failed');
          });
    const text = answer.isEmpty && isRestricted ? more(answer.text) : answer.text;
    return { content: [{ type: 'text', text }], ...(answer.isError ? { isError: true } : {}) };
  });
  return server;
}
