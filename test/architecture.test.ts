import assert from 'node:assert/strict';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import {
  exportsWithoutImporter,
  filesImportedBy,
  importsOf,
  type Source,
  sourcesIn,
  withoutComments,
  withoutExtension,
} from './support/import-graph.js';

const CONTAINER = new Set(['inversify', 'reflect-metadata']);

/** Why the file may not import this, as a sentence to read after `<file> imports <specifier>`, or undefined when it may. */
function whyNot(path: string, specifier: string): string | undefined {
  const inside = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
  const [room = ''] = path.split('/');
  if (inside?.startsWith('..')) {
    return inside.startsWith('../test/') || inside.startsWith('../bench/')
      ? 'src never imports from test or bench'
      : 'src imports nothing outside src by a relative path';
  }
  if (inside === 'main.js') return 'nothing imports main.ts: it is where everything is put together';
  if (inside?.startsWith('entry-points/'))
    return 'nothing imports entry-points: they are what the package exports';
  if (path === 'main.ts' || room === 'composition') return undefined;
  if (CONTAINER.has(packageOf(specifier))) return 'only composition imports inversify and reflect-metadata';
  if (room === 'entry-points') {
    const rooms = ['composition', 'adapters', 'application', 'domain'];
    if (rooms.some((each) => inside?.startsWith(`${each}/`))) return undefined;
    return 'an entry point passes on names of composition, adapters, application and domain, and nothing else';
  }
  if (inside?.startsWith('composition/')) return 'only main.ts and entry-points import composition';
  if (room === 'domain') {
    if (inside?.startsWith('domain/')) return undefined;
    if (specifier === 'semver' && path === 'domain/version.ts') return undefined;
    return 'domain imports only itself, and semver in version.ts alone';
  }
  if (room === 'formats') {
    if (inside?.startsWith('formats/') || inside?.startsWith('domain/')) return undefined;
    if (specifier === 'htmlparser2' && path === 'formats/html/parse-html.ts') return undefined;
    if (specifier === 'zod' && /^formats\/(?:api\/[^/]+|publication-record)\.ts$/.test(path))
      return undefined;
    return 'formats imports only domain and itself, htmlparser2 in html/parse-html.ts alone, and zod in publication-record.ts and api/ alone: nothing of Node';
  }
  if (room === 'application') {
    if (['application', 'formats', 'domain'].some((each) => inside?.startsWith(`${each}/`))) return undefined;
    return 'application imports only domain and itself, and formats: no packages, nothing of Node';
  }
  if (room === 'node') {
    if (inside === undefined) return undefined;
    if (['node', 'application/ports', 'formats', 'domain'].some((each) => inside.startsWith(`${each}/`)))
      return undefined;
    return 'node imports only domain, formats, ports and itself: no adapter and no use case';
  }
  if (room === 'adapters') {
    if (inside === undefined) return undefined;
    const [, own = ''] = path.split('/');
    if (['application', 'formats', 'domain', 'node'].some((each) => inside.startsWith(`${each}/`)))
      return undefined;
    if (inside.startsWith(`adapters/${own}/`)) return undefined;
    return 'an adapter imports application, formats, domain, node and its own folder, never another adapter';
  }
  return 'src has the rooms domain, formats, application, node, adapters, composition and entry-points, and main.ts: a file elsewhere has no rule';
}

/**
 * Text that only some files may have, so that `Changes` alone changes a store. Composition opens stores, so it can name them;
 * their adapters are stores.
 */
const CHANGING: readonly (readonly [what: RegExp, where: RegExp])[] = [
  [
    /\bDocStore\b/,
    /^composition\/|^adapters\/(?:filesystem|memory|object-store)\/|^application\/(?:ports\/doc-store|use-cases)\.ts$/,
  ],
  [/\bDocWriter\b/, /^application\/(?:ports\/doc-store|changes)\.ts$/],
  [/\bUpkeep\b/, /^composition\/|^application\/ports\/doc-store\.ts$/],
  [/\bnew Changes\b/, /^composition\/|^application\/use-cases\.ts$/],
  [
    /\b(?:docs|store|source|target)\.(?:publish|remove|restore|changeSettings)\(/,
    /^(?!composition\/|main\.ts$)/,
  ],
];

/** Returns the texts in a file that would let it change a store past `Changes`. */
function waysPastChanges({ path, text }: Source): readonly string[] {
  if (/^(?:domain|formats|entry-points)\//.test(path)) return [];
  const code = withoutComments(text);
  return CHANGING.flatMap(([what, where]) => (where.test(path) ? [] : (what.exec(code)?.[0] ?? [])));
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** A circle of imports among these files, as the paths along it, or undefined when there is none. */
function circleOf(sources: readonly Source[]): readonly string[] | undefined {
  const imports = new Map(sources.map((source) => [withoutExtension(source.path), filesImportedBy(source)]));
  const clear = new Set<string>();
  const follow = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (clear.has(path)) return undefined;
    for (const imported of imports.get(path) ?? []) {
      const circle = follow(imported, [...way, path]);
      if (circle !== undefined) return circle;
    }
    clear.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const circle = follow(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Every breach of the rules in these files, each as a sentence. */
function breachesOf(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const changes = waysPastChanges({ path, text }).map(
      (what) => `src/${path} says '${what}', but Changes alone changes a store: a use case takes a DocReader`,
    );
    const imports = importsOf(text).flatMap((specifier) => {
      const why = whyNot(path, specifier);
      if (why !== undefined) return [`src/${path} imports '${specifier}', but ${why}`];
      const bare = builtinModules.includes(specifier);
      return bare
        ? [`src/${path} imports '${specifier}', but Node's modules are written 'node:${specifier}'`]
        : [];
    });
    const breaches = [...imports, ...changes];
    if (path.startsWith('entry-points/') && /\bexport\s+(?:type\s+)?\*/.test(withoutComments(text))) {
      return [...breaches, `src/${path} exports all of a file, but an entry point is a written list`];
    }
    if (path.endsWith('.d.ts')) return breaches; // It describes a package that exports as it likes.
    const byDefault = /^\s*export\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/m.test(
      withoutComments(text),
    );
    return byDefault ? [...breaches, `src/${path} has a default export, but exports are named`] : breaches;
  });
}

/** The files of `src`, by their paths below it. */
async function sourcesOfProject(): Promise<readonly Source[]> {
  const sources = await sourcesIn('src');
  return sources.map(({ path, text }) => ({ path: path.slice('src/'.length), text }));
}

describe('The rooms of the house', () => {
  it('import inwards only', async () => {
    const sources = await sourcesOfProject();
    assert.ok(sources.length > 20, `only ${sources.length} files were found in src`);
    assert.deepEqual(breachesOf(sources), []);
  });

  it('import in no circle, types included', async () => {
    assert.deepEqual(circleOf(await sourcesOfProject()), undefined);
  });

  it('are scanned: the check finds known imports', async () => {
    const found = new Map((await sourcesOfProject()).map(({ path, text }) => [path, importsOf(text)]));
    assert.ok(found.get('domain/version.ts')?.includes('semver'));
    assert.ok(found.get('domain/project.ts')?.includes('./version.js'));
    assert.ok(found.get('application/index.ts')?.includes('./ports/doc-store.js'));
    assert.ok(found.get('application/ports/doc-store.ts')?.includes('../../domain/index.js'));
  });
});

/** A file above this length is hard to read in one go. */
const MAX_LINES = 300;
const MAX_FILES_OF_A_ROOM = 22;

/** Every file and room of these that is too large, or too small to be a room, each as a sentence. */
function sizesBeyond(sources: readonly Source[]): readonly string[] {
  const files = sources.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return /\.tsx?$/.test(path) && lines > MAX_LINES ? [`src/${path} has ${lines} lines`] : [];
  });
  const rooms = new Map<string, number>();
  for (const { path } of sources) {
    const room = posix.dirname(path);
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  const parents = new Set([...rooms.keys()].map((room) => posix.dirname(room)));
  return [
    ...files,
    ...[...rooms].flatMap(([room, count]) => {
      if (count > MAX_FILES_OF_A_ROOM) return [`src/${room} has ${count} files`];
      return count === 1 && !parents.has(room) ? [`src/${room} has one file`] : [];
    }),
  ];
}

describe('The sizes of files and rooms', () => {
  it('stay within the limits', async () => {
    assert.deepEqual(sizesBeyond(await sourcesOfProject()), []);
  });

  it('are counted: the check names a long file, a full room and a room of one file', () => {
    const room = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `${name}/${index}.ts`, text: '' }));
    const sources = [
      { path: 'domain/a.ts', text: '\n'.repeat(301) },
      { path: 'domain/b.ts', text: '\n'.repeat(300) },
      ...room('domain/full', 23),
      ...room('domain/right', 22),
      ...room('domain/one', 1),
    ];
    assert.deepEqual(sizesBeyond(sources), [
      'src/domain/a.ts has 301 lines',
      'src/domain/full has 23 files',
      'src/domain/one has one file',
    ]);
  });
});

const isEntryPoint = (path: string) => /^src\/(?:entry-points\/|main$)/.test(path);

/** Exports whose importers are not found, each with the reason. */
const IMPORTED_OTHERWISE: readonly string[] = [
  // Scripts of the upload page import what is bundled of it.
  'src/adapters/web/archive-names.ts: isBuildCache',
  'src/adapters/web/archive-names.ts: isIgnoredName',
  'src/adapters/web/archive-names.ts: isPreview',
  // A test of the browser's scripts imports it by its address.
  'src/adapters/web/public/-/assets/find-pages.js: textDirective',
  // The declaration of an exported value names it (TS4023).
];

describe('The exports of a file', () => {
  it('are imported by another file', async () => {
    const folders = await Promise.all(['src', 'test', 'bench', 'scripts'].map(sourcesIn));
    const unused = exportsWithoutImporter(folders.flat(), isEntryPoint);
    const ofSources = unused.filter((each) => each.startsWith('src/'));
    assert.deepEqual(ofSources.toSorted(), IMPORTED_OTHERWISE.toSorted());
  });

  it('count as imported by every form of import, but not by a re-export alone', () => {
    const sources = [
      {
        path: 'src/a.ts',
        text: [
          'export const used = 1;',
          'export interface Typed {}',
          'export class Lazy {}',
          'export function unused() {}',
          'export const passedOn = 1;',
          'const listed = 1;',
          'export { listed };',
          "// import { unused } from './a.js';",
        ].join('\n'),
      },
      { path: 'src/index.ts', text: "export * from './a.js';" },
      {
        path: 'src/b.ts',
        text: "import { used as it } from './index.js';\nconst { Lazy } = await import('./a.js');\ntype T = import('./a.js').Typed;",
      },
      { path: 'src/all.ts', text: 'export const every = 1;\nexport const one = 1;' },
      { path: 'src/c.ts', text: "import * as all from './all.js';" },
      { path: 'src/entry-points/d.ts', text: "export { passedOn as renamed } from '../index.js';" },
    ];
    assert.deepEqual(exportsWithoutImporter(sources, isEntryPoint), ['src/a.ts: unused', 'src/a.ts: listed']);
  });
});

const BREACHES: readonly (readonly [path: string, text: string, rule: RegExp])[] = [
  ['domain/project.ts', "import { readFile } from 'node:fs/promises';", /domain imports only itself/],
  ['domain/project.ts', "import semver from 'semver';", /domain imports only itself/],
  ['domain/version.ts', "import Koa from 'koa';", /domain imports only itself/],
  ['domain/version.ts', "import { x } from 'semver/functions/x.js';", /domain imports only itself/],
  [
    'domain/project.ts',
    "import type { DocStore } from '../application/index.js';",
    /domain imports only itself/,
  ],
  ['domain/project.ts', "export * from '../adapters/zip/index.js';", /domain imports only itself/],
  ['application/list.ts', "import { createHash } from 'node:crypto';", /nothing of Node/],
  ['formats/a.ts', "import { crc32 } from 'node:zlib';", /formats imports only domain/],
  ['formats/html/a.ts', "import { Parser } from 'htmlparser2';", /formats imports only domain/],
  ['formats/a.ts', "import * as z from 'zod';", /formats imports only domain/],
  ['formats/html/parse-html.ts', "import { decodeHTML } from 'entities';", /formats imports only domain/],
  ['formats/a.ts', "import type { DocStore } from '../application/index.js';", /formats imports only domain/],
  ['domain/a.ts', "import { ArchiveIndex } from '../formats/index.js';", /domain imports only itself/],
  ['application/list.ts', "import { z } from 'zod';", /application imports only domain and itself/],
  ['application/ports/a.ts', "import type { Readable } from 'node:stream';", /nothing of Node/],
  [
    'application/list.ts',
    "import { ZipArchives } from '../adapters/zip/index.js';",
    /application imports only domain/,
  ],
  ['application/list.ts', "import '../main.js';", /nothing imports main\.ts/],
  ['node/a.ts', "import { Zip } from '../adapters/zip/index.js';", /node imports only domain/],
  ['node/a.ts', "import { Changes } from '../application/changes.js';", /node imports only domain/],
  ['domain/a.ts', "import { x } from '../node/x.js';", /domain imports only itself/],
  ['formats/a.ts', "import { x } from '../node/x.js';", /formats imports only domain/],
  ['application/a.ts', "import { x } from '../node/x.js';", /application imports only domain/],
  ['adapters/http/app.ts', "import { Zip } from '../zip/index.js';", /never another adapter/],
  ['adapters/http/routes/up.ts', "import type { Zip } from '../../zip/index.js';", /never another adapter/],
  ['adapters/http/app.ts', "const zip = await import('../zip/index.js');", /never another adapter/],
  [
    'adapters/http/app.ts',
    "import {\n  a,\n  type B,\n} from '../http-extra/b.js';",
    /never another adapter/,
  ],
  ['adapters/http/app.ts', "import { Container } from 'inversify';", /only composition imports inversify/],
  [
    'adapters/http/app.ts',
    "import 'reflect-metadata';",
    /only composition imports inversify and reflect-metadata/,
  ],
  ['application/list.ts', "export { injectable } from 'inversify';", /only composition imports inversify/],
  ['adapters/cli/main.ts', "import { start } from '../../main.js';", /nothing imports main\.ts/],
  ['composition/serve.ts', "import { start } from '../main.js';", /nothing imports main\.ts/],
  [
    'adapters/cli/a.ts',
    "import { serve } from '../../composition/serve.js';",
    /only main\.ts and entry-points import composition/,
  ],
  ['adapters/memory/store.ts', "import { fake } from '../../../test/fake.js';", /never imports from test/],
  ['main.ts', "import { corpus } from '../bench/corpus.js';", /never imports from test or bench/],
  ['main.ts', "import pkg from '../package.json' with { type: 'json' };", /nothing outside src/],
  ['adapters/http/app.ts', "import fs from 'fs';", /written 'node:fs'/],
  ['adapters/http/app.ts', 'export default class App {}', /exports are named/],
  ['adapters/http/app.ts', 'class App {}\nexport { App as default };', /exports are named/],
  [
    'application/list.ts',
    "import type { DocStore } from './ports/doc-store.js';",
    /Changes alone changes a store: a use case takes a DocReader/,
  ],
  [
    'adapters/http/app.ts',
    "import type { DocStore } from '../../application/index.js';",
    /Changes alone changes a store/,
  ],
  ['application/list.ts', 'const changes = new Changes(docs);', /Changes alone changes a store/],
  ['application/list.ts', "import type { DocWriter } from './ports/doc-store.js';", /says 'DocWriter'/],
  ['adapters/http/app.ts', "import type { Upkeep } from '../../application/index.js';", /says 'Upkeep'/],
  ['composition/chores.ts', 'await docs.remove(id);', /says 'docs\.remove\('/],
  ['application/a.ts', "import { x } from '../node/x.js';", /application imports only domain/],
  ['entry-points/a.ts', "export { x } from '../node/x.js';", /an entry point passes on names of/],
  ['entry-points/a.ts', "export * from '../domain/index.js';", /an entry point is a written list/],
  ['composition/a.ts', "import { x } from '../entry-points/a.js';", /nothing imports entry-points/],
  ['helpers/text.ts', "import { x } from './x.js';", /no rule/],
  [
    'adapters/zip/w.ts',
    "const yes = 1; /* a */ import { x } from /* b */ '../web/x.js';",
    /never another adapter/,
  ],
  ['adapters/zip/w.ts', "const where = import.meta.resolve('../web/page.js');", /never another adapter/],
  ['adapters/zip/w.ts', 'type Page = import("../web/page.js").Page;', /never another adapter/],
];

const FINE: readonly (readonly [path: string, text: string])[] = [
  ['domain/version.ts', "import semver from 'semver';\nimport type { Docinfo } from './docinfo.js';"],
  ['application/ports/a.ts', "import type { Version } from '../../domain/index.js';"],
  ['application/list.ts', "import { authenticate } from './authenticate.js';"],
  ['application/ports/a.ts', "import type { ArchiveIndex } from '../../formats/index.js';"],
  ['adapters/zip/a.ts', "import { ArchiveIndex } from '../../formats/index.js';"],
  ['adapters/zip/a.ts', "import { x } from '../../node/x.js';"],
  ['node/a.ts', "import { open } from 'node:fs/promises';\nimport { refuse } from '../domain/index.js';"],
  ['formats/a.ts', "import { quote } from '../domain/index.js';"],
  ['formats/html/parse-html.ts', "import { Parser } from 'htmlparser2';"],
  ['formats/publication-record.ts', "import * as z from 'zod';"],
  [
    'adapters/http/routes/up.ts',
    "import Koa from 'koa';\nimport { join } from 'node:path';\nimport { x } from '../x.js';",
  ],
  [
    'node/background/a.ts',
    "import { Worker } from 'node:worker_threads';\nimport { x } from '../x.js';\nimport '../../domain/index.js';",
  ],
  ['node/a.ts', "import type { Archives } from '../application/ports/archives.js';"],
  ['adapters/http/app.ts', "import { x } from '../../node/x.js';"],
  ['adapters/http/app.ts', "import { refuse } from '../../domain/index.js';"],
  [
    'composition/container.ts',
    "import 'reflect-metadata';\nimport { Container } from 'inversify';\nimport '../adapters/zip/index.js';",
  ],
  [
    'application/use-cases.ts',
    'export interface Ports { docs: DocStore }\nconst changes = new Changes(docs);',
  ],
  ['adapters/memory/store.ts', 'export class MemoryDocStore implements DocStore {}'],
  [
    'application/delete.ts',
    'const docs: DocReader = x; // as DocStore.remove\nawait changes.remove(change, id);',
  ],
  ['main.ts', "const { serve } = await import('./composition/serve.js');"],
  ['entry-points/a.ts', "export { type A, b } from '../composition/b.js';"],
  [
    'domain/project.ts',
    "// import { readFile } from 'node:fs';\n/* export * from '../main.js'; */ export const a = 1;",
  ],
  ['adapters/http/koa.d.ts', "declare module 'koa' {\n  export default class Koa {}\n}"],
  ['domain/project.ts', "const url = 'https://example.org'; export const important = 'from here';"],
];

describe('The check of the rooms', () => {
  it('detects a circle of three files', () => {
    const sources = [
      { path: 'domain/a.ts', text: "import { b } from './b.js';" },
      { path: 'domain/b.ts', text: "export * from '../domain/c.js';" },
      { path: 'domain/c.ts', text: "import type { B } from './b.js';" },
    ];
    assert.deepEqual(circleOf(sources), ['domain/b', 'domain/c', 'domain/b']);
    assert.equal(circleOf(sources.slice(0, 2)), undefined);
  });

  for (const [path, text, rule] of BREACHES) {
    it(`refuses ${text.replaceAll('\n', ' ')} in ${path}`, () => {
      const breaches = breachesOf([{ path, text }]);
      assert.equal(breaches.length, 1, breaches.join('\n'));
      assert.match(breaches[0] ?? '', rule);
      assert.ok(breaches[0]?.startsWith(`src/${path} `));
    });
  }

  for (const [path, text] of FINE) {
    it(`allows ${text.replaceAll('\n', ' ')} in ${path}`, () =>
      assert.deepEqual(breachesOf([{ path, text }]), []));
  }
});
