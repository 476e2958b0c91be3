import type { PageModels } from '../../../application/index.js';
import type { ErrorCode } from '../../../formats/index.js';
import type { Site } from '../components/page-context.js';
import { agentClients } from './agent-clients.js';
import { type Block, code, list, type Section, table, text } from './block.js';
import { helpErrors } from './help-errors.js';
import {
  clientCommands,
  githubWorkflow,
  gitlabJob,
  nameExamples,
  pasteable,
  REFUSED_NAMES,
  uploadCommand,
} from './help-examples.js';

/** Facts about the server for the help. */
export type HelpFacts = PageModels['help'] & Omit<Site, 'version' | 'identity'>;

/** The first sentence of the help. */
export const HELP_LEAD =
  "This server stores every version of each project's documentation and serves it unchanged.";

/** Returns the content of the help, for the page at `/help` and the text at `/api/help`. */
export function helpSections({
  address,
  statuses,
  uploads,
  uploadPage,
  client,
  search,
  usage,
  mcp = false,
}: HelpFacts): readonly Section[] {
  const at = pasteable(address);
  const base = new URL(at).pathname.replace(/\/$/, '');
  return [
    {
      id: 'find',
      title: 'Find documentation',
      blocks: [
        text(
          `All projects are at \`${at}/\`. The search there takes words in any order, and looks for them in names, titles of front pages, descriptions, tags, groups and owners. A star keeps a project at the top of the list, in this browser.`,
        ),
        keys(search),
        text(
          'The page of a project has all its versions. `pre-release` marks those that are not finished, `latest` the one to read.',
        ),
      ],
    },
    ...(search ? [searching(at)] : []),
    ...(usage ? [countedReads(at)] : []),
    {
      id: 'read',
      title: 'Link to a page',
      blocks: [
        text(
          'To link to the latest version of a page, put `latest` in the place of the version. The link keeps working when a new version comes.',
        ),
        table(
          'Addresses',
          ['Address', 'What is there'],
          [
            [`\`${base}/my-project-latest/guide.html\``, 'a page of the latest version, always'],
            [`\`${base}/my-project-1.0.0/guide.html\``, 'the page of one version'],
            [`\`${base}/my-project/guide.html\``, 'redirects to that page of the latest version'],
            [
              `\`${base}/-/go/my-project-2.0.0/guide.html\``,
              'redirects to that page, or to the closest one in that version',
            ],
          ],
        ),
        text(
          'The latest version is the newest stable one. While there are only pre-releases (`2.0.0-rc.1`, `1.0b3`, `1.0-nightly`), it is the newest of them; when no version has a number, it is the one published last.',
        ),
      ],
    },
    forAgents(at, { mcp, hasFile: client !== undefined }),
    {
      id: 'download',
      title: 'Download',
      blocks: [
        text(
          'The page of a project has the archive of each version, to read without a network. It comes exactly as it was uploaded.',
        ),
        code(`curl -OJ ${at}/api/download/my-project/1.0.0`, `curl -OJ ${at}/api/download/my-project/latest`),
      ],
    },
    {
      id: 'list',
      title: 'List projects with a program',
      blocks: [
        text('The list of projects comes as JSON, each with all its versions, oldest first.'),
        code(
          `curl ${at}/api/projects`,
          `curl "${at}/api/projects?search=switch"`,
          `curl "${at}/api/projects?group=payments&tag=sdk"`,
        ),
        text(
          '`search` finds projects by a part of their name, whatever the case; `group`, `tag` and `owner` find those that have them.',
        ),
      ],
    },
    {
      id: 'upload',
      title: 'Upload',
      blocks: [
        ...(uploads ? [] : [text(NO_UPLOADS)]),
        text(
          'Zip the built documentation, name the archive after project and version, and send it with a token.',
        ),
        code(...uploadCommand(address)),
        text(
          'The version can be read as soon as the server has answered: 201 for a new version, 200 for one that was replaced. Replacing takes a token with `allow_overwrite`. A refused upload changes nothing.',
        ),
        ...(uploads && uploadPage
          ? [text(`In a browser, \`${at}/-/upload\` does the same with a zip or a whole folder.`)]
          : []),
      ],
    },
    {
      id: 'client',
      title: 'The client',
      blocks: [
        ...(client === undefined
          ? [text('The program that runs this server, `lectern`, is a client as well.')]
          : [
              text('This server hands out its client, one file for Node 20.19 or newer:'),
              code(`curl -fsSL ${at}/-/client.mjs -o lectern.mjs`),
              text(`Its SHA-256 is \`${client.sha256}\`, and changes when this server is upgraded.`),
            ]),
        text('`push` packs a folder, sends it, and prints the address of the site.'),
        code(...clientCommands(address, client === undefined ? 'lectern' : 'node lectern.mjs')),
        text(
          'Instead of the two variables, `--url` names the server. Without `--project` and `--version` it looks for them in the name of an archive, in manifests such as `package.json`, and in git. `push --help` has the rest.',
        ),
      ],
    },
    ...(client === undefined ? [] : [fromCi(address)]),
    {
      id: 'file-names',
      title: 'File names',
      blocks: [
        text('Project and version are read from the file name: `<project>-<version>-docs.zip`.'),
        list(
          'A project has letters, digits, `.`, `_` and `-`, and starts and ends with a letter or digit.',
          'A version may also have `+`, and starts with a letter or digit. It cannot be `latest`.',
          'Each has at most 100 characters, the whole name at most 200 bytes.',
          'The version starts after the first `-` that a full semantic version follows; else after the first that a number follows; else after the last `-`.',
        ),
        table(
          'How file names are read',
          ['File name', 'Project', 'Version'],
          nameExamples.map(({ fileName, project, label }) => [
            `\`${fileName}\``,
            `\`${project}\``,
            `\`${label}\``,
          ]),
        ),
        text(`Refused, for example: ${REFUSED_NAMES.map((name) => `\`${name}\``).join(', ')}.`),
      ],
    },
    {
      id: 'previews',
      title: 'Previews',
      blocks: [
        text(
          'A preview shows a pull request or a branch for a while: `<project>~<name>-docs.zip` becomes the site `/<project>~<name>/`, which is not a version, and is in no list of projects. Each upload replaces it and renews its lifetime: that of the field `expires`, in hours (`12h`) or days (`14d`), else the default of this server.',
        ),
        code(
          'curl -H "X-Token: $LECTERN_TOKEN" -F expires=14d \\',
          '  -F "file=@my-project~pr-123-docs.zip" \\',
          `  ${at}/api/upload`,
        ),
        text('It is removed when it expires, or when somebody with a token for the project deletes it:'),
        code('curl -X DELETE -H "X-Token: $LECTERN_TOKEN" \\', `  ${at}/api/previews/my-project/pr-123`),
      ],
    },
    {
      id: 'archives',
      title: 'What an archive looks like',
      blocks: [
        list(
          'The site is at the root of the zip archive, or inside one single directory, which is left out.',
          'An `index.html` at the root is the front page; without one, a list of the files is shown.',
          'A `404.html` at the root is shown for pages that are missing. Its links may be relative.',
          'A file `_redirects` at the root says where pages have moved. See below.',
          'Symbolic links, encrypted entries and paths that lead out of the archive are refused. Files whose names start with a dot are not served.',
        ),
      ],
    },
    {
      id: 'redirects',
      title: 'Pages that moved',
      blocks: [
        text(
          'A file `_redirects` at the root of the site has a rule on each line: the old path, the new path, and a status code if it is not 302.',
        ),
        code(
          '/install.html      /guide/install.html   301',
          '/tutorial/*        /learn/:splat',
          '/news/:year/:slug  /blog/:slug',
        ),
        text(
          '`/` is the root of the version. A page that exists takes precedence. The rules of the latest version count in all versions, in both directions: they also lead from a new name to the old one, in versions that have only that. The answer to an upload names rules with mistakes.',
        ),
      ],
    },
    {
      id: 'compare',
      title: 'What changed',
      blocks: [
        text(
          `\`${at}/-/compare/my-project/1.0.0/2.0.0\` lists the pages that were added, removed and changed between two versions, and proposes redirects. A changed page is shown with removed and inserted words marked, also beside the page itself. \`GET ${base}/api/compare/{project}/{before}/{after}\` is the same as JSON.`,
        ),
      ],
    },
    {
      id: 'docinfo',
      title: 'Name, description, group and tags',
      blocks: [
        text(
          'A file `docinfo.yaml`, `docinfo.yml` or `docinfo.json` at the root of the site describes the project:',
        ),
        code(
          'name: My Project',
          'description: What it is for, in a sentence.',
          'logo: _static/logo.svg   # a path inside the site',
          'group: Payments          # the heading in the index',
          'tags: [sdk, python]      # words to filter the index by',
          'owner: Team Blue',
          'repository: <its address> # pages link it',
          'contact: blue@example.org',
        ),
        text(
          'All fields may be left out. The latest version describes the project; all of it is plain text.',
        ),
      ],
    },
    {
      id: 'delete',
      title: 'Delete',
      blocks: [
        ...(uploads ? [] : [text(NO_UPLOADS)]),
        text('This takes a token with `allow_delete`. A project is gone when its last version is deleted.'),
        code('curl -X DELETE -H "X-Token: $LECTERN_TOKEN" \\', `  ${at}/api/delete/my-project/1.0.0`),
        text(
          'What is deleted or replaced can be restored for some days, by a token with `allow_manage`. With `?purge=true` it is deleted for good, at once, with all that it has replaced.',
        ),
        code('curl -X POST -H "X-Token: $LECTERN_TOKEN" \\', `  ${at}/api/restore/my-project/1.0.0`),
      ],
    },
    {
      id: 'settings',
      title: 'Aliases; hide or deprecate a version; remove old ones',
      blocks: [
        ...(uploads ? [] : [text(NO_UPLOADS)]),
        text(
          'This takes a token with `allow_manage`. `DELETE` at the same address undoes it. An alias serves its target, a version or the newest stable one of `1.x`; the alias `latest` pins the latest version. A hidden version can be read, but is in no page, switcher or search. A deprecated one shows the message to its readers. Rules remove old versions, never the latest nor one with an alias, and take `allow_delete` too; `?dry_run=true` only says which.',
        ),
        code(
          'curl -X PUT -H "X-Token: $LECTERN_TOKEN" -H "Content-Type: application/json" \\',
          `  -d '{"target": "1.x"}' ${at}/api/aliases/my-project/lts`,
          'curl -X PUT -H "X-Token: $LECTERN_TOKEN" \\',
          `  ${at}/api/hidden/my-project/1.0.0`,
          'curl -X PUT -H "X-Token: $LECTERN_TOKEN" -H "Content-Type: application/json" \\',
          `  -d '{"message": "Loses data; use 1.1"}' ${at}/api/deprecated/my-project/1.0.0`,
          'curl -X PUT -H "X-Token: $LECTERN_TOKEN" -H "Content-Type: application/json" \\',
          `  -d '{"keep_per_minor": 3}' "${at}/api/retention/my-project?dry_run=true"`,
        ),
      ],
    },
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

/** The keys of the server's own pages. */
function keys(search: boolean | undefined): Block {
  const opensSearch = [
    '`Ctrl-K`',
    'opens the search of all pages, as `/` does where there is no search field',
  ];
  return table(
    'Keys',
    ['Key', 'What it does'],
    [
      ['`/`', 'goes to the search field'],
      ...(search ? [opensSearch] : []),
      ['arrow keys', 'go through what was found'],
      ['Enter', 'opens the first result, or the one that has the focus'],
      ['Escape', 'ends the search, and closes a dialog'],
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
        'All words have to be in a page. Where few pages have them all, pages that lack one follow.',
        'The last word also finds longer ones. A word that is on no page is taken for a typo of one that is, and the results say so.',
        '`"exact phrase"` has to be in the page as it is. `project:my-project` searches in one project.',
        'Without a project, the latest version of each one is searched. Hidden versions and previews are searched only where they are named: `version=~pr-123`.',
      ),
      text('The same as JSON, with marked snippets, and from a terminal:'),
      code(
        `curl "${at}/api/search?q=install+plugin&project=my-project"`,
        'lectern search install plugin --project my-project',
      ),
    ],
  };
}

const NO_UPLOADS =
  'This server runs without tokens, so it takes no uploads and deletes nothing until it is started with `--tokens`.';

/** What is counted, on a server that counts. */
function countedReads(at: string): Section {
  return {
    id: 'usage',
    title: 'Usage',
    blocks: [
      text(
        `This server counts how often pages are read, and which missing pages readers ask for. The page of a project links to the counts, \`${at}/-/projects/my-project/usage\`, which everybody can see.`,
      ),
      text(
        'A count is a number for a day, a version and a path. No address, no cookie and no query is kept. A missing path is shown as it was typed.',
      ),
    ],
  };
}

/** How coding agents read what is hosted here. */
function forAgents(
  at: string,
  { mcp, hasFile }: { readonly mcp: boolean; readonly hasFile: boolean },
): Section {
  const program = hasFile ? 'node lectern.mjs' : 'lectern';
  return {
    id: 'agents',
    title: 'Let coding agents read',
    blocks: [
      ...(mcp
        ? [
            text(
              'A coding agent can ask this server by the Model Context Protocol. It gives the version as it stands in a lock file or manifest, such as `^2.1`, and the answer says which hosted version it is of.',
            ),
            ...agentClients(at).flatMap(({ name, line }) => [text(`${name}:`), code(line)]),
          ]
        : []),
      text(
        'Each page is Markdown, too: at its file with `.md` behind it, or at its own address for `Accept: text/markdown`. `llms.txt` lists the pages of a version.',
      ),
      code(`curl ${at}/my-project-latest/guide.html.md`, `curl ${at}/my-project-latest/llms.txt`),
      text('A section for `AGENTS.md` with the projects of a team:'),
      code(`LECTERN_URL=${at} ${program} agents-md my-project other@^2.1 >> AGENTS.md`),
    ],
  };
}

/** What to put into the configuration of a CI; it fetches the client from this server. */
function fromCi(address: string): Section {
  return {
    id: 'ci',
    title: 'From GitHub and GitLab',
    blocks: [
      text(
        'Both snippets publish each tag, `v1.0.0` as version `1.0.0`: `push` knows the job that it runs in. In a job for a pull request it publishes a preview, `pr-7`. The token is in a variable of the project that the service keeps secret, `LECTERN_TOKEN`. Give it a token whose `projects` names nothing else, and only to a job that builds nothing.',
      ),
      text('GitHub, in `.github/workflows/docs.yml`:'),
      code(...githubWorkflow(address)),
      text('GitLab, in `.gitlab-ci.yml`, after a job `build-docs` whose artifacts hold the site:'),
      code(...gitlabJob(address)),
    ],
  };
}
