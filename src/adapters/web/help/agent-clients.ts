/** A coding agent, and the line that makes it ask this server. */
export interface AgentClient {
  readonly name: string;
  readonly line: string;
}

/**
 * Returns the lines for coding agents, the most common one first.
 * @param address of the server, as it is to be pasted
 */
export function agentClients(address: string): readonly [AgentClient, ...AgentClient[]] {
  const url = `${address}/-/mcp`;
  return [
    { name: 'Claude Code', line: `claude mcp add --transport http docs ${url}` },
    { name: 'Cursor, in .cursor/mcp.json', line: JSON.stringify({ mcpServers: { docs: { url } } }) },
    { name: 'VS Code', line: `code --add-mcp '${JSON.stringify({ name: 'docs', type: 'http', url })}'` },
    { name: 'Codex', line: `codex mcp add docs --url ${url}` },
    { name: 'Gemini CLI', line: `gemini mcp add --transport http docs ${url}` },
  ];
}
