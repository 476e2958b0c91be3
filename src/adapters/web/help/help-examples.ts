// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells and GitHub have the same marks
import { parseArchiveName } from '../../../domain/index.js';
import type { ClientFile } from '../public-files.js';

const ACCEPTED = [
  'my-project-1.0.0-docs.zip',
  'my-project-1.0.0-beta.1-docs.zip',
  'lib-2-1.0.0-docs.zip',
  'tls-switch-1.2.3.post.dev4-abc1234-docs.zip',
  'qt-6.8-docs.zip',
  'log4j-2.x-docs.zip',
  'tool-v2-docs.zip',
  'tool-main-docs.zip',
] as const;

const fetchAndPush = [
  'curl -fsSL --retry 5 "$LECTERN_URL/-/client.mjs" -o lectern.mjs',
  'node lectern.mjs push build/html --project my-project',
];

/** Refused file names, each for a different reason. */
export const REFUSED_NAMES = ['docs.zip', 'a-docs.zip', 'a-latest-docs.zip', 'a-1.0.zip'] as const;

/** Accepted file names with project and version, parsed like those of uploads. */
export const nameExamples = ACCEPTED.map((fileName) => ({ fileName, ...parseArchiveName(fileName) }));

/** Returns the commands of a first upload with curl, also shown on the empty index. */
export function uploadCommand(address: string): readonly string[] {
  return [
    'cd build/html &&',
    'zip -qr ../my-project-1.0.0-docs.zip . &&',
    'cd ..',
    'curl -H "X-Token: $LECTERN_TOKEN" \\',
    '  -F "file=@my-project-1.0.0-docs.zip" \\',
    `  ${pasteable(address)}/api/upload`,
  ];
}

/** Returns how the client is called: as the file that a server hands out, else as the program. */
export function programOf(client: ClientFile | undefined): string {
  return client === undefined ? 'lectern' : 'node lectern.mjs';
}

/** Returns the command that fetches the client from a server. */
export function fetchClient(address: string): string {
  return `curl -fsSL ${pasteable(address)}/-/client.mjs -o lectern.mjs`;
}

/** Returns the commands of an upload with `push`. */
export function clientCommands(address: string, client: ClientFile | undefined): readonly string[] {
  return [
    `export LECTERN_URL=${pasteable(address)}`,
    'export LECTERN_TOKEN=<your token>',
    `${programOf(client)} push build/html --project my-project --version 1.0.0`,
  ];
}

/** Returns a GitHub workflow that publishes tags. The token is in a job of its own: code of the build never meets it. */
export function githubWorkflow(address: string): readonly string[] {
  return [
    'on:',
    '  push:',
    "    tags: ['**']",
    'jobs:',
    '  build:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - run: make html  # or whatever builds your site, into build/html',
    '      - uses: actions/upload-artifact@v4',
    '        with: { name: documentation, path: build/html }',
    '  publish:',
    '    needs: build',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - uses: actions/download-artifact@v4',
    '        with: { name: documentation, path: build/html }',
    '      - run: |',
    ...fetchAndPush.map((line) => `          ${line}`),
    '        env:',
    `          LECTERN_URL: ${pasteable(address)}`,
    '          LECTERN_TOKEN: ${{ secrets.LECTERN_TOKEN }}',
  ];
}

/** Returns a GitLab job that publishes tags. */
export function gitlabJob(address: string): readonly string[] {
  return [
    'publish-docs:',
    '  image: node:24-bookworm',
    '  needs: [build-docs]',
    '  rules:',
    '    - if: $CI_COMMIT_TAG',
    '  variables:',
    `    LECTERN_URL: ${pasteable(address)}`,
    '  script:',
    ...fetchAndPush.map((line) => `    - ${line}`),
  ];
}

/**
 * Returns the address if it is safe to paste into a shell, else `http://localhost:8080`. It may come from an untrusted
 * `Host` header.
 */
export function pasteable(address: string): string {
  const plain = address.replace(/\/+$/, '');
  return /^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?$/.test(plain) ? plain : 'http://localhost:8080';
}

/** Returns the path of the address, without a `/` at its end. */
export function basePathOf(address: string): string {
  return new URL(pasteable(address)).pathname.replace(/\/$/, '');
}

/** A coding agent, and the line that makes it ask this server. */
interface AgentClient {
  readonly name: string;
  readonly line: string;
}

/**
 * Returns the lines for coding agents, the most common one first.
 * @param address of the server, as it is to be pasted
 * @param isPrivate whether the agent's user signs in
 */
export function agentClients(address: string, isPrivate = false): readonly [AgentClient, ...AgentClient[]] {
  const [server, url] = isPrivate
    ? ['docs-private', `${address}/-/mcp/private`]
    : ['docs', `${address}/-/mcp`];
  const inVsCode = JSON.stringify({ name: server, type: 'http', url });
  return [
    { name: 'Claude Code', line: `claude mcp add --transport http ${server} ${url}` },
    { name: 'Cursor, in .cursor/mcp.json', line: JSON.stringify({ mcpServers: { [server]: { url } } }) },
    { name: 'VS Code', line: `code --add-mcp '${inVsCode}'` },
    { name: 'Codex', line: `codex mcp add ${server} --url ${url}` },
    { name: 'Gemini CLI', line: `gemini mcp add --transport http ${server} ${url}` },
  ];
}
