import type { ErrorCode } from '../../../formats/index.js';
import { type Block, code, type HelpFacts, list, type Section, table, text } from './block.js';
import { basePathOf, pasteable } from './help-examples.js';
import { publishingSections } from './help-publishing.js';
import { readingSections } from './help-reading.js';

const MAX_WIDTH = 79;

/** The first sentence of the help. */
export const HELP_LEAD =
  "This server stores every version of each project's documentation and serves it unchanged.";

/** Returns the chapters of `/help`, for those who read. */
export function readingHelp(facts: HelpFacts): readonly Section[] {
  return [...readingSections(facts), programs(facts)];
}

/** Returns the chapters of `/-/help/publish`, for those who publish. */
export function publishingHelp(facts: HelpFacts): readonly Section[] {
  return [...publishingSections(facts), errors(facts)];
}

function errors({ statuses }: HelpFacts): Section {
  return {
    id: 'errors',
    title: 'Errors',
    isFolded: true,
    blocks: [
      text('A failure is JSON: `message` is for people and says what to do, `error` is for programs.'),
      code(
        'A failure',
        '{ "success": false, "error": "version_exists",',
        '  "message": "my-project 1.0.0 already exists, and ..." }',
      ),
      table(
        'Error codes',
        ['Status', 'Error', 'When'],
        Object.entries(helpErrors).map(([code, when]) => [
          String(statuses[code as ErrorCode]),
          `\`${code}\``,
          when,
        ]),
      ),
    ],
  };
}

function programs({ address, search, usage }: HelpFacts): Section {
  const at = pasteable(address);
  const base = basePathOf(address);
  return {
    id: 'api',
    title: 'For programs',
    isFolded: true,
    blocks: [
      text(
        `The OpenAPI 3.0 file at \`${at}/api/spec\` describes the whole API. \`${at}/-/api\` shows it, with a command and examples for each request.`,
      ),
      list(
        `\`GET ${base}/api/projects\`, with \`?search=\``,
        ...(search
          ? [`\`GET ${base}/api/search?q=\`, with \`project\`, \`version\`, \`limit\` and \`offset\``]
          : []),
        ...(usage ? [`\`GET ${base}/api/projects/{project}/usage\`, with \`days\` and \`format\``] : []),
        `\`GET ${base}/api/download/{project}/{version}\``,
        `\`POST ${base}/api/upload\`, with \`X-Token\``,
        `\`DELETE ${base}/api/delete/{project}/{version}\`, with \`X-Token\``,
        `\`GET ${base}/api/previews/{project}\`, and \`/{name}\`; \`DELETE\` for one, with \`X-Token\``,
        `\`GET ${base}/api/removed\`, \`POST ${base}/api/restore/{project}/{version}\`, with \`X-Token\``,
        `\`GET ${base}/api/token\`, with \`X-Token\`: what the token may do`,
        `\`GET ${base}/api/version\`, \`GET ${base}/api/help\`, \`GET ${base}/api/spec\``,
      ),
    ],
  };
}

/** Cause of each error code. A new refusal code does not compile until it is explained here. */
export const helpErrors: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'The request is malformed; an upload has exactly one part named `file`, and `expires` only for a preview.',
  invalid_filename:
    'The file name is neither `<project>-<version>-docs.zip` nor `<project>~<preview>-docs.zip`.',
  invalid_archive: 'The archive is damaged, or holds an entry that is not safe to unpack.',
  invalid_settings:
    'An alias, a target, a message, a description or a rule is invalid, or there are too many.',
  authentication_required: 'There is no token, or it is unknown or has expired.',
  person_not_accepted: 'You are signed in, but not accepted here: ask whoever runs the server.',
  project_not_allowed: 'The token is for other projects, or the project exists in another spelling.',
  version_not_allowed: 'The token is for previews only.',
  project_not_existing: 'The token may not create projects.',
  delete_not_allowed: 'The token may not delete.',
  manage_not_allowed: 'The token may not change settings of projects.',
  tokens_not_allowed:
    'The token may not make tokens, not with these rights, or not more of them; or it did not make the token.',
  project_not_found: 'There is no such project.',
  version_not_found: 'The project has no such version.',
  preview_not_found: 'The project has no such preview; it may have expired.',
  token_not_found: 'The token has made no such token.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'The address does not support this method; `Allow` names those that it does.',
  version_exists: 'The version exists, and the token may not overwrite it; or it exists in another spelling.',
  name_taken:
    'An alias has the name of the version, or a version or project that of the alias; or a token has that name.',
  upload_too_large: 'The upload is larger than this server allows.',
  archive_too_large: 'The unpacked archive is larger than this server allows.',
  dead_links:
    'The upload is strict about links, and its site has dead links that the release before does not have.',
  site_has_warnings: 'The upload is strict, and there are warnings about its site; `warnings` has them.',
  unsupported_media_type: 'The body has a content type that the operation does not accept.',
  internal: 'Something went wrong on the server; its log has more under the `X-Request-Id`.',
  unavailable: 'The server is busy or stopping; try again after `Retry-After` seconds.',
  insufficient_storage: 'The server has too little disk space; nothing was changed.',
};

/** Returns the help as text for a terminal. */
export function helpText(facts: HelpFacts): string {
  const chapters = [...readingHelp(facts), ...publishingHelp(facts)].map(({ title, blocks }) =>
    [title.toUpperCase(), ...blocks.map(render)].join('\n\n'),
  );
  return `${[wrap(HELP_LEAD, '', ''), ...chapters].join('\n\n\n')}\n`;
}

function render(block: Block): string {
  switch (block.kind) {
    case 'text':
      return wrap(block.text, '', '');
    case 'list':
      return block.items.map((item) => wrap(item, '- ', '  ')).join('\n');
    case 'code':
      return `${wrap(`${block.title}:`, '', '')}\n\n${block.lines.map((line) => `    ${line}`).join('\n')}`;
    case 'table':
      return columns([block.head, ...block.rows]);
    case 'fold':
      return [wrap(`${block.title}:`, '', ''), ...block.blocks.map(render)].join('\n\n');
  }
}

function wrap(text: string, first: string, indent: string): string {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > MAX_WIDTH) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
}

/** Formats a table as aligned columns. Cells that are all code lose their backticks. */
function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll(/^`([^`]*)`$/g, '$1')));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
