/** Address of the Model Context Protocol. */
export const MCP_PATH = '/-/mcp';

/** JSON-RPC's numbers: no request, and a failure of the server. */
export const INVALID_REQUEST = -32_600;
export const INTERNAL_ERROR = -32_603;

/**
 * The body of a refusal at `/-/mcp`: an error of JSON-RPC, of no message in particular.
 * @param error the code that the API would give
 */
export function rpcErrorOf(code: number, message: string, error?: string): string {
  const data = error === undefined ? {} : { data: { error } };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, ...data } });
}
