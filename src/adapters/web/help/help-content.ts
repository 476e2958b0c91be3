import { code, list, type Section, table, text } from './block.js';
import { type HelpErrorCode, helpErrors } from './help-errors.js';
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
export interface HelpFacts {
  /** Address of the server, for example `http://docs.example.com:8080`. */
  readonly address: string;
  /** The HTTP status of each error. */
  readonly statuses: Readonly<Record<HelpErrorCode, number>>;
  /** Whether the server has tokens. */
  readonly uploads: boolean;
  /** Whether `/-/upload` and `/-/api` are served. */
  readonly uploadPage: boolean;
}

/** The first sentence of the help. */
export const HELP_LEAD =
  "Lectern stores every version of each project's documentation and serves it unchanged.";

/** Returns the content of the help, for the page at `/help` and the text at `/api/help`. */
export function helpSections({ address, statuses, uploads, uploadPage }: HelpFacts): readonly Section[] {
  const at = pasteable(address);
  const base = new URL(at).pathname.replace(/\/$/, '');
  return [
    {
      id: 'read',
      title: 'Read',
      blocks: [
        text(
          `Every version of every project has an address of its own. All projects are listed at \`${at}/\`.`,
        ),
        table(
          'Addresses',
          ['Address', 'What is there'],
          [
            [`\`${base}/my-project-1.0.0/\``, 'one version'],
            [`\`${base}/my-project-latest/\``, 'always the latest version; links to its pages keep working'],
            [`\`${base}/my-project/\``, 'leads to the latest version'],
            [`\`${base}/my-project-1.0.0-docs.zip\``, 'the archive of one version'],
            [`\`${base}/my-project-latest-docs.zip\``, 'the archive of the latest version'],
          ],
        ),
        text(
          'The latest version is the newest stable one. While there are only pre-releases (`2.0.0-rc.1`, `1.0b3`, `1.0-nightly`), it is the newest of them; when no version has a number, it is the one published last.',
        ),
      ],
    },
    {
      id: 'find',
      title: 'List and search',
      blocks: [
        text('The list of projects comes as JSON, each with all its versions, oldest first.'),
        code(`curl ${at}/api/projects`, `curl "${at}/api/projects?search=switch"`),
        text('`search` finds a part of a name, in upper or lower case.'),
      ],
    },
    {
      id: 'download',
      title: 'Download',
      blocks: [
        text('An archive comes back exactly as it was uploaded. `latest` stands for the latest version.'),
        code(`curl -OJ ${at}/api/download/my-project/1.0.0`, `curl -OJ ${at}/api/download/my-project/latest`),
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
          'The version can be read as soon as the answer is there: 201 for a new version, 200 for one that was replaced. Replacing takes a token with `allow_overwrite`. A refused upload changes nothing.',
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
        text(
          'The program that runs this server, `lectern`, is a client as well. `push` packs a folder, sends it, and prints the address of the site.',
        ),
        code(...clientCommands(address)),
        text(
          'Instead of the two variables, `--url` names the server. Without `--project` and `--version` it looks for them in the name of an archive, in manifests such as `package.json`, and in git. `lectern push --help` has the rest.',
        ),
      ],
    },
    {
      id: 'ci',
      title: 'From GitHub and GitLab',
      blocks: [
        text(
          'Both snippets publish each tag, `v1.0.0` as version `1.0.0`. The token is in a variable of the project that the service keeps secret: `LECTERN_TOKEN`. Give it a token whose `projects` names nothing else.',
        ),
        text('GitHub, in `.github/workflows/docs.yml`:'),
        code(...githubWorkflow(address)),
        text('GitLab, in `.gitlab-ci.yml`, after a job `build-docs` whose artifacts hold the site:'),
        code(...gitlabJob(address)),
      ],
    },
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
      id: 'archives',
      title: 'What an archive looks like',
      blocks: [
        list(
          'The site is at the root of the zip archive, or inside one single directory, which is left out.',
          'An `index.html` at the root is the front page; without one, a list of the files is shown.',
          'A `404.html` at the root is shown for pages that are missing.',
          'Symbolic links, encrypted entries and paths that lead out of the archive are refused. Files whose names start with a dot are not served.',
        ),
      ],
    },
    {
      id: 'docinfo',
      title: 'Name, description and logo',
      blocks: [
        text(
          'A file `docinfo.yaml`, `docinfo.yml` or `docinfo.json` at the root of the site describes the project:',
        ),
        code(
          'name: My Project',
          'description: What it is for, in a sentence.',
          'logo: _static/logo.svg   # a path inside the site',
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
        text('This takes a token with `allow_delete`. A project goes with its last version.'),
        code('curl -X DELETE -H "X-Token: $LECTERN_TOKEN" \\', `  ${at}/api/delete/my-project/1.0.0`),
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
            String(statuses[code as HelpErrorCode]),
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
          `The whole interface is described by OpenAPI 3.0 at \`${at}/api/spec\`.${uploadPage ? ` In a browser, \`${at}/-/api\` shows it, with a form to try each request.` : ''}`,
        ),
        list(
          `\`GET ${base}/api/projects\`, with \`?search=\``,
          `\`GET ${base}/api/download/{project}/{version}\``,
          `\`POST ${base}/api/upload\`, with \`X-Token\``,
          `\`DELETE ${base}/api/delete/{project}/{version}\`, with \`X-Token\``,
          `\`GET ${base}/api/token\`, with \`X-Token\`: what the token may do`,
          `\`GET ${base}/api/version\`, \`GET ${base}/api/help\`, \`GET ${base}/api/spec\``,
        ),
      ],
    },
  ];
}

const NO_UPLOADS =
  'This server runs without tokens, so it takes no uploads and deletes nothing until it is started with `--tokens`.';
