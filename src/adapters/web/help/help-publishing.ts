import { code, fold, type HelpFacts, list, type Section, table, text } from './block.js';
import {
  basePathOf,
  clientCommands,
  fetchClient,
  githubWorkflow,
  gitlabJob,
  nameExamples,
  pasteable,
  REFUSED_NAMES,
  uploadCommand,
} from './help-examples.js';

const NO_UPLOADS =
  'This server runs without tokens, so it takes no uploads and deletes nothing until it is started with `--tokens`.';

/** Returns the chapters for those who publish: upload, name, describe, delete and manage versions. */
export function publishingSections({ address, uploads, uploadPage, client }: HelpFacts): readonly Section[] {
  const at = pasteable(address);
  const base = basePathOf(address);
  return [
    {
      id: 'upload',
      title: 'Upload',
      blocks: [
        ...(uploads ? [] : [text(NO_UPLOADS)]),
        text('Zip the built site, name the archive after project and version, and send it with a token.'),
        code('Upload with curl', ...uploadCommand(address)),
        text(
          'The version can be read as soon as the server has answered: 201 for a new version, 200 for a replaced one. To replace a version you need a token with `allow_overwrite`. A refused upload changes nothing.',
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
              text('This server serves its own client: a single file that only needs Node 20.19 or newer.'),
              code('Fetch the client', fetchClient(address)),
              text(
                `The SHA-256 of the file is \`${client.sha256}\`. It changes when this server is upgraded.`,
              ),
            ]),
        text('`push` packs a folder, sends it, and prints the address of the site.'),
        code('Publish a folder', ...clientCommands(address, client)),
        text(
          '`--url` names the server without the variable. Without `--project` and `--version`, `push` looks for them in the name of an archive, in manifests such as `package.json`, and in git. `push --help` has the rest.',
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
        fold(
          'Examples of file names',
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
        ),
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
          'Publish a preview',
          'curl -H "X-Token: $LECTERN_TOKEN" -F expires=14d \\',
          '  -F "file=@my-project~pr-123-docs.zip" \\',
          `  ${at}/api/upload`,
        ),
        text('It is removed when it expires, or when somebody with a token for the project deletes it.'),
        code(
          'Delete a preview',
          'curl -X DELETE -H "X-Token: $LECTERN_TOKEN" \\',
          `  ${at}/api/previews/my-project/pr-123`,
        ),
      ],
    },
    {
      id: 'docinfo',
      title: 'Name, description, group and tags',
      blocks: [
        text(
          'A file `docinfo.yaml`, `docinfo.yml` or `docinfo.json` at the root of the site describes the project.',
        ),
        code(
          'Contents of docinfo.yaml',
          'name: My Project',
          'description: What it is for, in a sentence.',
          'logo: _static/logo.svg   # a path inside the site',
          'group: Payments          # the heading in the index',
          'tags: [sdk, python]      # words to filter the index by',
          'owner: Team Blue',
          'repository: <its address> # pages link it',
          'contact: blue@example.org',
          'source: public           # shows the commit of each version to everybody',
        ),
        text('All fields are optional, and plain text. The latest version describes the project.'),
      ],
    },
    {
      id: 'archives',
      title: 'Archive contents',
      isFolded: true,
      blocks: [
        list(
          'The site is at the root of the zip archive, or inside one single directory, which is left out.',
          'An `index.html` at the root is the front page; without one, a list of the files is shown.',
          'A `404.html` at the root is shown for pages that are missing. Its links may be relative.',
          'A file `_redirects` at the root says where pages have moved: see "Pages that moved".',
          'Symbolic links, encrypted entries and paths that lead out of the archive are refused. Files whose names start with a dot are not served.',
        ),
      ],
    },
    {
      id: 'redirects',
      title: 'Pages that moved',
      isFolded: true,
      blocks: [
        text(
          'A file `_redirects` at the root of the site has a rule on each line: the old path, the new path, and a status code if it is not 302.',
        ),
        code(
          'Contents of _redirects',
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
      id: 'dead-links',
      title: 'Broken links',
      isFolded: true,
      blocks: [
        text(
          `\`${at}/-/check/my-project/1.0.0\` lists the links of a version that lead nowhere, and proposes redirects. \`GET ${base}/api/check/{project}/{version}\` is the same as JSON.`,
        ),
      ],
    },
    {
      id: 'delete',
      title: 'Delete and restore',
      isFolded: true,
      blocks: [
        ...(uploads ? [] : [text(NO_UPLOADS)]),
        text(
          'To delete a version you need a token with `allow_delete`. A project is gone when its last version is deleted.',
        ),
        code(
          'Delete a version',
          'curl -X DELETE -H "X-Token: $LECTERN_TOKEN" \\',
          `  ${at}/api/delete/my-project/1.0.0`,
        ),
        text(
          'A deleted or replaced version can be restored for some days, with a token that has `allow_manage`. With `?purge=true` it is deleted for good, at once, with all that it has replaced.',
        ),
        code(
          'Restore a version',
          'curl -X POST -H "X-Token: $LECTERN_TOKEN" \\',
          `  ${at}/api/restore/my-project/1.0.0`,
        ),
      ],
    },
    {
      id: 'settings',
      title: 'Aliases, hidden, deprecated and old versions',
      isFolded: true,
      blocks: [
        ...(uploads ? [] : [text(NO_UPLOADS)]),
        text(
          'These need a token with `allow_manage`. `DELETE` at the same address undoes each. An alias serves its target, a version or the newest stable one of `1.x`; the alias `latest` pins the latest version. A hidden version can be read, but is in no page, switcher or search. A deprecated one shows the message to its readers. Rules remove old versions, never the latest nor one with an alias, and need `allow_delete` too; `?dry_run=true` only says which.',
        ),
        code(
          'Set an alias, hide a version, deprecate one, and try a rule',
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
  ];
}

/** Lines for the configuration of a CI, which fetch the client from this server. */
function fromCi(address: string): Section {
  return {
    id: 'ci',
    title: 'From GitHub and GitLab',
    blocks: [
      text(
        'Both snippets publish each tag, `v1.0.0` as version `1.0.0`: `push` knows the job that it runs in. In a job for a pull request it publishes a preview, `pr-7`. The token is in a variable of the project that the service keeps secret, `LECTERN_TOKEN`. Give it a token whose `projects` names nothing else, and only to a job that builds nothing.',
      ),
      fold('GitHub', code('.github/workflows/docs.yml', ...githubWorkflow(address))),
      fold(
        'GitLab',
        text('The job comes after a job `build-docs` whose artifacts hold the site.'),
        code('.gitlab-ci.yml', ...gitlabJob(address)),
      ),
    ],
  };
}
