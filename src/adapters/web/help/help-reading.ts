import { type Block, code, fold, type HelpFacts, list, type Section, table, text } from './block.js';
import { agentClients, basePathOf, pasteable, programOf } from './help-examples.js';

/** Returns the chapters for readers: find, link to and download documentation. */
export function readingSections({
  address,
  client,
  search,
  usage,
  mcp = false,
  signIn = false,
}: HelpFacts): readonly Section[] {
  const at = pasteable(address);
  const base = basePathOf(address);
  return [
    {
      id: 'find',
      title: 'Find documentation',
      blocks: [
        text(
          `All projects are at \`${at}/\`. The search there takes words in any order, and looks for them in names, titles of front pages, descriptions, tags, groups and owners. A star keeps a project at the top of the list, in this browser.`,
        ),
        text(
          'The page of a project has all its versions. `latest` marks the version to read, `pre-release` one that is not finished.',
        ),
        fold('Keyboard shortcuts', keys(search)),
      ],
    },
    ...(search ? [searching(at)] : []),
    {
      id: 'read',
      title: 'Link to a page',
      blocks: [
        text(
          'To link to the latest version of a page, put `latest` in the place of the version. The link keeps working when a new version comes.',
        ),
        table(
          'Addresses',
          ['Address', 'Page'],
          [
            [`\`${base}/my-project-latest/guide.html\``, 'in the latest version, always'],
            [`\`${base}/my-project-1.0.0/guide.html\``, 'in one version'],
            [`\`${base}/my-project/guide.html\``, 'redirects to the latest version'],
            [
              `\`${base}/-/go/my-project-2.0.0/guide.html\``,
              'redirects to the page in that version, or to the closest one',
            ],
          ],
        ),
        text(
          'The latest version is the newest stable one. While there are only pre-releases (`2.0.0-rc.1`, `1.0b3`, `1.0-nightly`), it is the newest of them; when no version has a number, it is the one published last.',
        ),
      ],
    },
    {
      id: 'download',
      title: 'Download',
      blocks: [
        text(
          'The page of a project has the archive of each version, to read offline. It is exactly the archive that was uploaded.',
        ),
        code(
          'Download a version',
          `curl -OJ ${at}/api/download/my-project/1.0.0`,
          `curl -OJ ${at}/api/download/my-project/latest`,
        ),
      ],
    },
    {
      id: 'compare',
      title: 'Compare versions',
      blocks: [
        text(
          `\`${at}/-/compare/my-project/1.0.0/2.0.0\` lists the pages that were added, removed and changed between two versions, and proposes redirects. A changed page is shown with removed and inserted words marked, also beside the page itself. \`GET ${base}/api/compare/{project}/{before}/{after}\` is the same as JSON.`,
        ),
      ],
    },
    forAgents(at, { mcp, signIn }, programOf(client)),
    {
      id: 'list',
      title: 'List projects with a program',
      blocks: [
        text('The list of projects comes as JSON, each with all its versions, oldest first.'),
        code(
          'List and filter projects',
          `curl ${at}/api/projects`,
          `curl "${at}/api/projects?search=switch"`,
          `curl "${at}/api/projects?group=payments&tag=sdk"`,
        ),
        text(
          '`search` finds projects by a part of their name, whatever the case; `group`, `tag` and `owner` find projects that have them.',
        ),
      ],
    },
    ...(usage ? [countedReads(at, search)] : []),
  ];
}

/** The keys of the server's own pages. */
function keys(search: boolean | undefined): Block {
  const opensSearch = [
    '`Ctrl-K`',
    'open the search of all pages, as `/` does where there is no search field',
  ];
  return table(
    'Keys',
    ['Key', 'Action'],
    [
      ['`/`', 'go to the search field'],
      ...(search ? [opensSearch] : []),
      ['arrow keys', 'move through the results'],
      ['Enter', 'open the first result, or the one that has the focus'],
      ['Escape', 'end the search, or close a dialog'],
      ['`n` and `p`', 'go to the next and the previous change of a compared page'],
    ],
  );
}

/** How to search the pages, on a server that can. */
function searching(at: string): Section {
  return {
    id: 'search',
    title: 'Search the pages',
    blocks: [
      text(
        `The field at \`${at}/\` finds projects and pages as you type, the field of a project its pages, and \`${at}/-/search?q=\` is a page of results. Where sites have the version switcher, the key \`/\` searches in the version that you read.`,
      ),
      list(
        'A page must have all words. Where few pages have them all, pages with most of them follow.',
        'The last word also finds longer ones. A word that is on no page is taken for a typo of one that is, and the results say so.',
        '`"exact phrase"` must be in the page as it is. `my-project: words` and `my-project 1.2: words` search in one project, as `project:my-project` does.',
        'Without a project, the latest version of each one is searched. Hidden versions and previews are searched only where they are named: `version=~pr-123`.',
      ),
      code(
        'Search as JSON, with marked snippets, and from a terminal',
        `curl "${at}/api/search?q=install+plugin&project=my-project"`,
        'lectern search install plugin --project my-project',
      ),
    ],
  };
}

/** Counts of reads, on a server that counts. */
function countedReads(at: string, search: boolean | undefined): Section {
  return {
    id: 'usage',
    title: 'Usage',
    isFolded: true,
    blocks: [
      text(
        `This server counts how often pages are read, and which missing pages readers ask for. The page of a project links to the counts, \`${at}/-/projects/my-project/usage\`, which all readers of the project can see.`,
      ),
      text(
        `A count is a number for a day, a version and a path, without any address, cookie or query. A missing path is shown as it was typed.${search ? ' A search that finds nothing is kept once five clients have made it.' : ''}`,
      ),
    ],
  };
}

/**
 * How coding agents read what is hosted here.
 * @param program how the client is called
 */
function forAgents(
  at: string,
  { mcp, signIn }: { readonly mcp: boolean; readonly signIn: boolean },
  program: string,
): Section {
  return {
    id: 'agents',
    title: 'Let coding agents read',
    blocks: [
      ...(mcp
        ? [
            text(
              'A coding agent can ask this server by the Model Context Protocol. It gives the version as it stands in a lock file or manifest, such as `^2.1`, and the answer says which hosted version it is of.',
            ),
            ...agentLines(at, false),
          ]
        : []),
      ...(mcp && signIn
        ? [
            text('To read private projects, too, sign in. The agent opens a browser when it connects.'),
            ...agentLines(at, true),
          ]
        : []),
      text(
        'Each page is also available as Markdown: add `.md` to its file, or send `Accept: text/markdown` to its own address. `llms.txt` lists the pages of a version.',
      ),
      code(
        'Read a page, and the list of pages, as Markdown',
        `curl ${at}/my-project-latest/guide.html.md`,
        `curl ${at}/my-project-latest/llms.txt`,
      ),
      code(
        'A section for AGENTS.md with the projects of a team',
        `LECTERN_URL=${at} ${program} agents-md my-project other@^2.1 >> AGENTS.md`,
      ),
    ],
  };
}

/** The line of the most common agent, and those of the others, folded. */
function agentLines(at: string, isPrivate: boolean): readonly Block[] {
  const [first, ...others] = agentClients(at, isPrivate).map(({ name, line }) =>
    code(isPrivate ? `${name}, signed in` : name, line),
  );
  return [...(first === undefined ? [] : [first]), fold('Other agents', ...others)];
}
