/** A coding agent, and the line that makes it ask this server. */
export interface AgentClient {
  readonly name: string;
  readonly line: string;
}

/**
 * Returns the lines for coding agents, the most common one first.
 * @param address of the server, as it is to be pasted
 * @param program how the client is called, for agents that start a program instead of sending requests
 */
export function agentClients(
  address: string,
  program: readonly string[],
): readonly [AgentClient, ...AgentClient[]] {
  const url = `${address}/-/mcp`;
  const [command, ...args] = [...program, 'mcp', '--url', address];
  return [
    { name: 'Claude Code', line: `claude mcp add --transport http docs ${url}` },
    { name: 'Cursor, in .cursor/mcp.json', line: JSON.stringify({ mcpServers: { docs: { url } } }) },
    { name: 'VS Code', line: `code --add-mcp '${JSON.stringify({ name: 'docs', type: 'http', url })}'` },
    { name: 'Codex', line: `codex mcp add docs --url ${url}` },
    { name: 'Gemini CLI', line: `gemini mcp add --transport http docs ${url}` },
    {
      name: 'Agents that start a program',
      line: JSON.stringify({ mcpServers: { docs: { command, args } } }),
    },
  ];
}

/** How the client is called: the file that the server hands out, or the installed program. */
export function clientProgram(hasFile: boolean): readonly string[] {
  return hasFile ? ['node', 'lectern.mjs'] : ['lectern'];
}
