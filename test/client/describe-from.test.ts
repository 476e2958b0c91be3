import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { JsonTokenRegistry } from '../../src/adapters/json/index.js';
import { TestServer } from '../support/server.js';
import { lectern, workplace, writeTree } from './lectern.js';

/** Runs `lectern describe --from` on a file with this text. */
async function from(context: TestContext, server: TestServer, text: string, ...args: readonly string[]) {
  const cwd = await writeTree(await workplace(context), { 'all.yaml': text });
  const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-manager' };
  return lectern(['describe', '--from', 'all.yaml', ...args], { cwd, env });
}

describe('lectern describe --from', () => {
  let server: TestServer;
  before(async () => {
    const owners = ['a', 'library', 'api'];
    const tokens = {
      manager: { token: 'secret-manager', projects: owners, allow_manage: true },
      ci: { token: 'secret-ci' },
    };
    server = await TestServer.start({ tokens: JsonTokenRegistry.parse(JSON.stringify({ tokens })) });
    for (const project of [...owners, 'others'])
      await server.upload(`${project}-1.0-docs.zip`, { 'index.html': '1' }, 'ci');
  });
  after(() => server.close());
  beforeEach(async () => {
    for (const project of ['a', 'library', 'api']) await describeAs(project, {});
  });

  const about = async (project: string) => (await server.json(`/api/projects/${project}`)).settings.about;
  const describeAs = (project: string, json: object) =>
    server.fetch(`/api/projects/${project}`, {
      method: 'PUT',
      headers: { 'X-Token': 'secret-manager', 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
  const all = () => Promise.all(['a', 'library', 'api', 'others'].map(about));

  const FILE = `
projects:
  a:
    title: 1.10
    description: >
      For every
      purpose
    group: Tools
    owner: ''
    tags: [sdk, 3.10, yes]
  library:
    tags: []
    repository: https://git.example.org/library
    contact: blue@example.org
  others: {}
`;

  it('changes the fields in the file, keeps all other fields, and prints a line for each changed project', async (context) => {
    await describeAs('a', { owner: 'Team Red', contact: 'red@example.org', group: 'Tools' });
    assert.deepEqual(await from(context, server, FILE), {
      code: 0,
      out: [
        "a: description: none -> 'For every purpose'; owner: 'Team Red' -> none; tags: none -> 'sdk', '3.10', 'yes'; title: none -> '1.10'",
        "library: contact: none -> 'blue@example.org'; repository: none -> 'https://git.example.org/library'",
        '',
      ].join('\n'),
      notes: '2 of 3 projects changed\n',
    });
    const told = await all();
    assert.deepEqual(told, [
      {
        contact: 'red@example.org',
        description: 'For every purpose',
        group: 'Tools',
        tags: ['sdk', '3.10', 'yes'],
        title: '1.10',
      },
      { contact: 'blue@example.org', repository: 'https://git.example.org/library' },
      undefined,
      undefined,
    ]);
    const again = await from(context, server, FILE);
    assert.deepEqual(again, { code: 0, out: '', notes: '0 of 3 projects changed\n' });
    assert.deepEqual(await all(), told);
  });

  it('previews the changes with --dry-run, and changes nothing', async (context) => {
    const { code, out, notes } = await from(context, server, FILE, '--dry-run');
    assert.deepEqual([code, notes], [0, 'Not changed. 2 of 3 projects would change\n']);
    assert.match(out, /^a: .*\nlibrary: .*\n$/);
    assert.deepEqual(await all(), [undefined, undefined, undefined, undefined]);
  });

  it('accepts components, APIs and systems of a catalog-info.yaml', async (context) => {
    const { code, out } = await from(
      context,
      server,
      `# The catalogue of Backstage.
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: a
  title: The A
  description: |
    First line,
    second line.
  tags: [java]
  links: [{ url: https://example.org }]
spec:
  type: service
  owner: group:default/team-blue
  system: default/payments
---
apiVersion: backstage.io/v1alpha1
kind: API
metadata:
  name: another-name
  annotations: { lectern/project: api }
spec: { owner: user:jane }
---
apiVersion: backstage.io/v1beta1
kind: System
metadata: { name: library }
spec: { owner: team-red }
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: { name: team-blue }
---
`,
    );
    assert.deepEqual([code, out.split('\n').length], [0, 4]);
    assert.deepEqual(await all(), [
      {
        description: 'First line, second line.',
        group: 'payments',
        owner: 'team-blue',
        tags: ['java'],
        title: 'The A',
      },
      { owner: 'team-red' },
      { owner: 'jane' },
      undefined,
    ]);
  });

  it('reports all faults and unknown projects by their paths, and changes nothing', async (context) => {
    const text = `
owners: {}
projects:
  a: { title: A }
  libraryy: { title: B }
  library: { titel: B, owner: , tags: sdk, group: [x] }
  api: none
---
apiVersion: backstage.io/v1alpha1
kind: API
metadata: { title: API, name: api, annotations: { lectern/project: '' } }
---
apiVersion: backstage.io/v1alpha1
kind: API
metadata: { name: a }
spec: { owner: [x] }
---
kind: API
`;
    const run = await from(context, server, text);
    assert.deepEqual(run.notes.split('\n'), [
      'lectern: all.yaml: document 1: owners: unknown field',
      'lectern: all.yaml: document 1: projects.library.titel: unknown field',
      'lectern: all.yaml: document 1: projects.library.owner: expected a non-empty string',
      'lectern: all.yaml: document 1: projects.library.tags: expected a list of strings',
      'lectern: all.yaml: document 1: projects.library.group: expected a non-empty string',
      'lectern: all.yaml: document 1: projects.api: expected fields',
      'lectern: all.yaml: document 2: metadata.annotations.lectern/project: expected the name of a project',
      'lectern: all.yaml: document 3: spec.owner: expected a non-empty string',
      'lectern: all.yaml: document 3: metadata.name: document 1: projects.a describes the same project',
      "lectern: all.yaml: document 4: expected 'projects' or a Backstage entity",
      "lectern: all.yaml: document 1: projects.libraryy: no such project; did you mean 'library'?",
      'Nothing was changed',
      '',
    ]);
    assert.deepEqual([run.code, run.out], [2, '']);
    const unknown = await from(context, server, 'projects: { a: { title: A }, b: { title: B } }');
    assert.deepEqual([unknown.code, unknown.out], [6, '']);
    assert.deepEqual(await all(), [undefined, undefined, undefined, undefined]);
  });

  it('stops where the server refuses a change, and lists completed changes', async (context) => {
    const text = 'projects: { a: { title: A }, others: { title: B }, api: { title: C } }';
    const { code, out, notes } = await from(context, server, text);
    assert.deepEqual([code, out], [5, "a: title: none -> 'A'\n"]);
    assert.match(
      notes,
      /^Stopped at others; neither it nor the rest was changed; 1 project changed\nlectern: /,
    );
    assert.deepEqual(await all(), [{ title: 'A' }, undefined, undefined, undefined]);
  });

  it('refuses files that are no list of descriptions, YAML bombs and large files, and changes nothing', async (context) => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const of = level === 0 ? 'lol' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array(9).fill(of).join(', ')}]`;
    });
    for (const [text, sentence] of [
      ['projects: {', /all\.yaml: is not valid YAML \(.* at line 1, column 12\)/],
      ['projects:\n  a: {title: A}\n  a: {title: B}\n', /Key is given twice at line 3, column 3/],
      ['', /does not describe a project/],
      ['projects: [a]', /projects: expected an object with project names as keys/],
      [`projects: {a: {title: A}}\n${levels.join('\n')}`, /Excessive alias count/],
      [`projects: {a: {title: ${'['.repeat(50_000)}`, /has too much in it/],
      [
        Array.from({ length: 400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
        /is nested too deeply/,
      ],
      [`projects:\n${'  a: {title: A}\n'.repeat(80_000)}`, /larger than 1048576 bytes/],
    ] as const) {
      const { code, out, notes } = await from(context, server, text);
      assert.deepEqual([code, out], [2, ''], notes.slice(0, 200));
      assert.match(notes, sentence);
    }
    for (const [args, sentence] of [
      [['describe', '--from', join('none', 'all.yaml')], /no such file or directory/],
      [['describe', 'a', '--from', 'all.yaml'], /the file names projects and fields/],
      [['describe', '--from', 'all.yaml', '--undo'], /the file names projects and fields/],
      [['describe', 'a', '--dry-run'], /--dry-run needs --from/],
      [['describe'], /give a project or --from/],
    ] as const) {
      const { code, notes } = await lectern(args, {
        env: { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-manager' },
      });
      assert.deepEqual(code, 2, args.join(' '));
      assert.match(notes, sentence);
    }
    assert.deepEqual(await all(), [undefined, undefined, undefined, undefined]);
  });
});
