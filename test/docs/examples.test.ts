import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAccessFile } from '../../src/adapters/json/index.js';
import { parseTokensFile } from '../../src/adapters/json/tokens-file.js';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';
import { AccessPolicy, NOBODY, type Principal, tokenActor } from '../../src/domain/index.js';
import { document, type Fence, fencesOf, tableOf } from './markdown.js';

/** The one block of its language in a document. */
async function only(language: string, path: string): Promise<string> {
  const fences: readonly Fence[] = fencesOf(await document(path));
  const found = fences.filter((fence) => fence.language === language);
  assert.equal(found.length, 1, `${path} has ${found.length} blocks of ${language}`);
  return found[0]?.code ?? '';
}

describe('The files in the documents', () => {
  it('show a tokens file that is accepted', async () => {
    const files = async (path: string) =>
      fencesOf(await document(path)).filter(({ language }) => language === 'json');
    const [plain] = await files('README.md');
    const [configured, trusting] = await files('docs/configuration.md');
    for (const each of [plain, configured]) {
      assert.deepEqual([...parseTokensFile(each?.code ?? '').tokens.keys()], ['ci', 'release manager']);
    }
    const { issuers } = parseTokensFile(trusting?.code ?? '');
    assert.deepEqual(
      issuers.map(({ name }) => name),
      ['github', 'github previews'],
    );
  });

  it('show an access file that is accepted, with the readers of each project', async () => {
    const [rules, issuing] = fencesOf(await document('docs/access.md')).filter(
      ({ language }) => language === 'json',
    );
    assert.equal(parseAccessFile(issuing?.code ?? '', 'https://docs.example.org').issuers.length, 1);
    const policy = new AccessPolicy(parseAccessFile(rules?.code ?? ''), '1');
    const token = (projects: readonly string[], read: readonly string[] = []) =>
      tokenActor('t', { projects, read });
    const person = (name: string, ...groups: readonly string[]) =>
      ({ kind: 'person', name, groups }) as const;
    const rows: readonly (readonly Principal[])[] = [
      [NOBODY],
      [person('bob')],
      [person('ann@example.org'), person('x', 'payments')],
      [token([], ['vault'])],
      [token(['payments-*'])],
      [tokenActor('t')],
    ];
    const projects = ['blog', 'handbook', 'payments-api', 'vault'];
    const table = tableOf(await document('docs/access.md'), 'Who', ...projects.map((each) => `\`${each}\``));
    for (const [index, principals] of rows.entries()) {
      const [who = '', ...cells] = table[index] ?? [];
      for (const principal of principals) {
        const may = projects.map((project) => policy.readerOf(principal).maySee(project));
        assert.deepEqual(
          cells.map((cell) => cell.startsWith('reads')),
          may,
          who,
        );
      }
    }
  });

  it('show a docinfo that is accepted, with every field', async () => {
    const { docinfo, problem } = readYamlDocinfo(await only('yaml', 'docs/configuration.md'));
    assert.equal(problem, undefined);
    assert.deepEqual(Object.keys(docinfo ?? {}), [
      'name',
      'description',
      'logo',
      'switcher',
      'search',
      'group',
      'tags',
      'owner',
      'repository',
      'contact',
      'source',
      'switcherCorner',
    ]);
  });
});
