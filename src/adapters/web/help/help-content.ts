import type { ErrorCode } from '../../../formats/index.js';
import { code, type HelpFacts, list, type Section, table, text } from './block.js';
import { helpErrors } from './help-errors.js';
import { basePathOf, pasteable } from './help-examples.js';
import { publishingSections } from './help-publishing.js';
import { readingSections } from './help-reading.js';

/** The first sentence of the help. */
export const HELP_LEAD =
  "This server stores every version of each project's documentation and serves it unchanged.";

/** Returns the content of the help, for the page at `/help` and the text at `/api/help`. */
export function helpSections(facts: HelpFacts): readonly Section[] {
  return [...readingSections(facts), ...publishingSections(facts), ...programSections(facts)];
}

function programSections({ address, statuses, search, usage }: HelpFacts): readonly Section[] {
  const at = pasteable(address);
  const base = basePathOf(address);
  return [
    {
      id: 'errors',
      title: 'Errors',
      blocks: [
        text('A failure is JSON: `message` is for people and says what to do, `error` is for programs.'),
        code(
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
    },
    {
      id: 'api',
      title: 'For programs',
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
    },
  ];
}
