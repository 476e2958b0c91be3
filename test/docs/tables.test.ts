import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import type { Option } from '../../src/adapters/cli/options/option-reader.js';
import { RARELY_NEEDED, SERVE_OPTIONS } from '../../src/adapters/cli/options/serve-option-table.js';
import { ownRoutes } from '../../src/adapters/http/own/routes.js';
import { tokenEntry } from '../../src/adapters/json/tokens-file.js';
import { FEATURES } from '../../src/composition/features.js';
import { PARTS } from '../support/every-route.js';
import { namesExportedBy } from '../support/import-graph.js';
import { document, tableOf } from './markdown.js';

const code = (text: string | number) => `\`${text}\``;

describe('The table of options', () => {
  it('describes each option of serve exactly as --help does, and no other', async () => {
    const { path, text } = await document('docs/configuration.md');
    const [often = '', rarely = ''] = text.split('\n## Rarely needed\n');
    const rowsOf = (part: string) =>
      tableOf({ path, text: part }, 'Option', 'Environment', 'Default', 'Meaning');
    const isRare = ([name]: readonly [string, unknown]) => RARELY_NEEDED.some((each) => each === name);
    const options = Object.entries<Option>(
      Object.assign({}, SERVE_OPTIONS, ...FEATURES.map((feature) => feature.options?.table)),
    );
    const wanted = [...options.filter((each) => !isRare(each)), ...options.filter(isRare)].map(
      ([name, option]) => [
        code(option.flag),
        code(`LECTERN_${name.replaceAll('-', '_').toUpperCase()}`),
        'default' in option ? code(option.default) : '',
        option.description,
      ],
    );
    assert.deepEqual([...rowsOf(often), ...rowsOf(rarely)], wanted);
    assert.equal(rowsOf(rarely).length, RARELY_NEEDED.length);
  });
});

interface FieldSchema {
  readonly type: string;
  readonly items?: { readonly type: string };
}

/** The fields of a token's entry as the schema has them: name, type, whether it is required. */
function fieldsOfSchema(): string[][] {
  const schema = z.toJSONSchema(tokenEntry, { io: 'input' });
  const properties = schema.properties as Readonly<Record<string, FieldSchema>>;
  return Object.entries(properties).map(([name, { type, items }]) => [
    code(name),
    items === undefined ? type : `${type} of ${items.type}s`,
    schema.required?.includes(name) ? 'yes' : 'no',
  ]);
}

for (const path of ['docs/configuration.md', 'docs/contract.md']) {
  describe(`The table of token fields in ${path}`, () => {
    it('has the fields of the schema, with types and required ones', async () => {
      const rows = tableOf(await document(path), 'Field', 'Type', 'Required', 'Default', 'Meaning');
      assert.deepEqual(
        rows.map((row) => row.slice(0, 3)),
        fieldsOfSchema(),
      );
    });

    it('grants nothing by default, but every project', async () => {
      const rows = tableOf(await document(path), 'Field', 'Type', 'Required', 'Default', 'Meaning');
      for (const [field, type, , byDefault, meaning] of rows) {
        assert.ok(meaning, field);
        const wanted = {
          boolean: code('false'),
          'array of strings': field === code('read') ? 'none' : 'every project',
          string: '',
        }[type ?? ''];
        assert.equal(byDefault, wanted, field);
      }
    });
  });
}

describe('The tables for embedders', () => {
  it('list every entry point of the package, with all its names and no other', async () => {
    const rows = tableOf(await document('docs/embedding.md'), 'Entry point', 'Names');
    const { exports } = JSON.parse((await document('package.json')).text) as { readonly exports: object };
    const entryPoints = Object.keys(exports).filter((path) => path !== './package.json');
    assert.deepEqual(
      rows.map(([name]) => name),
      entryPoints.map((path) => code(path.replace(/^\./, 'lectern'))),
    );
    for (const [entryPoint = '', names = ''] of rows) {
      const listed = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      const [, file = 'lectern'] = /\/(\w+)/.exec(entryPoint) ?? [];
      const list = file === 'testing' ? 'test/contracts/testing.ts' : `src/entry-points/${file}.ts`;
      const exported = [...namesExportedBy((await document(list)).text)];
      assert.deepEqual(listed.sort(), exported.sort(), entryPoint);
    }
  });

  it('list every option of openLectern', async () => {
    const source = (await document('src/composition/embedding/lectern.ts')).text;
    const [, options = ''] = /interface LecternOptions \{([\s\S]*?)\n\}/.exec(source) ?? [];
    const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name = '']) => code(name));
    assert.ok(names.length > 15, `only ${names.length} options were found`);
    const { text } = await document('docs/embedding.md');
    const [, section = ''] = /\n## Options\n([\s\S]*?)\n## /.exec(text) ?? [];
    assert.deepEqual(
      names.filter((name) => !section.includes(name)),
      [],
    );
  });
});

describe('The table of addresses in docs/http-api.md', () => {
  it('lists every address of the server itself', async () => {
    const addresses = (await document('docs/http-api.md')).text.split('\n## ')[0] ?? '';
    const routes = ownRoutes({ ...PARTS, files: [] }).flatMap(({ path }) => path);
    const fixed = routes.map((path) => path.replace(/\/?[:{].*/s, ''));
    assert.ok(fixed.length > 15, `only ${fixed.length} addresses were found`);
    assert.deepEqual(
      fixed.filter((path) => !addresses.includes(`\`${path}`)),
      [],
    );
  });
});
