import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ROOT } from './root.js';

/** Source file with its path below the project, with `/`: `src/domain/version.ts`. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Returns the TypeScript files of a folder of the project, in all its folders. */
export async function sourcesIn(folder: string): Promise<readonly Source[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name));
  return Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(join(ROOT, '/').length).replaceAll('\\', '/');
      return { path, text: await readFile(file, 'utf8') };
    }),
  );
}

/** Returns the specifiers that a file imports, whichever way: static, for its effects, `export from`, type-only, dynamic, `require`. */
export function importsOf(text: string): readonly string[] {
  const code = withoutComments(text);
  const forms = [
    /\b(?:import|export)\b[\s\w$*{},]*?\bfrom\s*(['"])(.*?)\1/g,
    /\bimport\s*(['"])(.*?)\1/g,
    /\b(?:import|require|require\.resolve|import\.meta\.resolve)\s*\(\s*(['"`])(.*?)\1/g,
  ];
  return forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[2] ?? ''));
}

/** Blanks out comments. Text in quotes is left alone, so that a URL's `//` starts none. */
export function withoutComments(text: string): string {
  return text.replace(
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|(?<![\\/[])\/\/[^\n]*/g,
    (found) => (found.startsWith('/*') || found.startsWith('//') ? ' ' : found),
  );
}

/** Returns the names that a file passes on from others by written lists. */
export function namesExportedBy(text: string): readonly string[] {
  const lists = withoutComments(text).matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}\s*from/gm);
  return [...lists].flatMap(([, list = '']) => namesIn(list).map(({ as }) => as));
}

/** Returns the path without its extension: the same for `a.ts`, `a.tsx` and the `a.js` that imports say. */
export function withoutExtension(path: string): string {
  return path.replace(/\.[jt]sx?$/, '');
}

/** Returns the path, without extension, of a file that a relative specifier names. */
export function resolved(from: string, specifier: string): string {
  return withoutExtension(posix.join(posix.dirname(from), specifier));
}

/** Returns the paths, without extension, of the files that a file imports by relative specifiers. */
export function filesImportedBy({ path, text }: Source): readonly string[] {
  return importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => resolved(path, specifier));
}

/** Files of a project, with the text of the sources. */
export interface Tree {
  /** Paths below the project, with `/`. */
  readonly files: readonly string[];
  /** Sources among `files`, which can load others. */
  readonly sources: readonly Source[];
}

/**
 * Returns the files of a tree that load this one, and those that load these, and so on, with the file itself. A file loads what it
 * imports, and what it names in a string: a file or a folder from its own place (`'./jobs'`), or from the root of the project
 * (`'test/search/pages'`). The built program is its sources.
 */
export function filesThatReach(file: string, loaders: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([file]);
  for (const path of reached) {
    for (const name of namesOf(path)) for (const loader of loaders.get(name) ?? []) reached.add(loader);
  }
  return reached;
}

/** Returns the paths of the files that load something, by what they load: a path without extension, a file or a folder. */
export function loadersIn({ files, sources }: Tree): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files.flatMap(namesOf));
  const loaders = new Map<string, string[]>();
  for (const source of sources) {
    const named = filesNamedBy(source).filter((path) => known.has(path));
    for (const path of new Set([...filesImportedBy(source), ...named])) {
      loaders.set(path, [...(loaders.get(path) ?? []), source.path]);
    }
  }
  return loaders;
}

/** All by which a file can be loaded: its path, with its extension and without, and its folders. */
function namesOf(path: string): readonly string[] {
  const folders = path.split('/').slice(0, -1);
  return [
    ...new Set([path, withoutExtension(path)]),
    ...folders.map((_, index) => folders.slice(0, index + 1).join('/')),
  ];
}

/** Files that name paths without loading them: root.ts, for tests that start the program, and the ones that choose tests. */
const NAMES_ONLY = /^test\/(?:support\/root|support\/choice\/folders|choice\/.*)\.ts$/;

/** Returns the paths that the strings of a file may mean, whether they are there or not. */
function filesNamedBy({ path, text }: Source): readonly string[] {
  if (NAMES_ONLY.test(path)) return [];
  const code = withoutComments(text);
  const found = (form: RegExp) => [...code.matchAll(form)].map(([, name = '']) => name);
  const strings = found(/['"`]([^'"`\s]+)['"`]/g)
    // A name that is put together means all of its folder.
    .map((name) => (name.includes('${') ? name.replace(/\/?[^/]*\$\{.*/, '') : name));
  const beside = [
    ...strings.filter((name) => /^\.{1,2}\/.*\w/.test(name)),
    ...found(/\bprogramBeside\(\s*import\.meta\.url,\s*'([^']+)'/g),
  ].map((name) => resolved(path, name));
  if (path.startsWith('src/')) return beside;
  // An import of the package by its name loads what was built of it.
  const startsProgram =
    importsOf(text).some((specifier) => /^lectern(?:$|\/(?!package\.json$))/.test(specifier)) ||
    /\bimport\s*\{[^}]*\bMAIN\b[^}]*\}\s*from\s*'[^']*\/root\.js'/.test(code);
  const fromRoot = [
    ...strings.filter((name) => name.includes('/') || /^\.?[\w-]+\.(?!md$)\w+$/.test(name)),
    ...found(/\bROOT,\s*['"`]([^'"`$]+)['"`]/g),
    ...found(/\$\{ROOT\}\/([\w./-]+)/g),
  ];
  return [
    ...beside,
    ...(startsProgram ? ['src/main'] : []),
    ...fromRoot.flatMap((name) => {
      const file = posix
        .normalize(name)
        .replace(/\/$/, '')
        .replace(/^dist(?=\/)/, 'src');
      return isRoom(file) ? [] : [file, withoutExtension(file)];
    }),
  ];
}

/** Whether a path is a folder of the project itself: many strings equal one, and files that read all of it say so elsewhere. */
const isRoom = (path: string) => /^[\w-]+$/.test(path);

/** Means all exports of a module. */
const ALL = '*';

/**
 * Returns the exports that no other file imports, as `src/a.ts: name`. A file that passes a name on is no importer, unless it is
 * an entry point.
 */
export function exportsWithoutImporter(
  sources: readonly Source[],
  isEntryPoint: (path: string) => boolean,
): readonly string[] {
  const modules = new Map(sources.map((source) => [withoutExtension(source.path), moduleOf(source)]));
  const used = new Set<string>();
  const use = (path: string, name: string): void => {
    const module = modules.get(path);
    if (module === undefined || used.has(`${path} ${name}`)) return;
    used.add(`${path} ${name}`);
    for (const { from, name: original, as } of module.passedOn) {
      if (name === ALL || as === ALL || as === name) use(from, original === ALL ? name : original);
    }
  };
  for (const [path, { uses }] of modules) {
    for (const { from, name } of uses) use(from, name);
    if (isEntryPoint(path)) use(path, ALL);
  }
  return sources.flatMap(({ path }) => {
    const key = withoutExtension(path);
    if (used.has(`${key} ${ALL}`)) return [];
    const names = modules.get(key)?.names ?? [];
    return names.filter((name) => !used.has(`${key} ${name}`)).map((name) => `${path}: ${name}`);
  });
}

interface Module {
  /** Exports that the file declares. */
  readonly names: readonly string[];
  /** Exports of other files, `ALL` where a file is passed on whole. */
  readonly passedOn: readonly { readonly from: string; readonly name: string; readonly as: string }[];
  readonly uses: readonly { readonly from: string; readonly name: string }[];
}

function moduleOf({ path, text }: Source): Module {
  const code = withoutComments(text);
  // The built program is its sources.
  const at = (specifier = '') => resolved(path, specifier).replace(/^dist\//, 'src/');
  const declared = code.matchAll(
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\s*\*?|class|interface|type|enum)\s+([\w$]+)/gm,
  );
  const lists = [...code.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*(['"])(\..*?)\2)?/gm)];
  const whole = code.matchAll(/^export\s+(?:type\s+)?\*\s*from\s*(['"])(\..*?)\1/gm);
  const imported = code.matchAll(/\bimport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*(['"])(\..*?)\2/g);
  const taken = code.matchAll(/\{([^{}]*)\}\s*=\s*(?:\(\s*)?await\s+import\(\s*(['"`])(\..*?)\2/g);
  const named = code.matchAll(/\bimport\(\s*(['"])(\..*?)\1\s*\)\s*\.\s*([A-Z][\w$]*)/g);
  const some = [...imported, ...taken].flatMap(([, list = '', , specifier]) =>
    namesIn(list).map(({ name }) => ({ from: at(specifier), name })),
  );
  const known = new Set([
    ...some.map(({ from }) => from),
    ...[...code.matchAll(/^export\b[^'";]*?\bfrom\s*(['"])(\..*?)\1/gm)].map(([, , specifier]) =>
      at(specifier),
    ),
  ]);
  // An import whose names are not told apart takes all: `import * as`, `import('…')` without braces, a worker's program.
  const programs = [...code.matchAll(/\bprogramBeside\(\s*import\.meta\.url,\s*'([^']+)'/g)];
  const rest = [
    ...filesImportedBy({ path, text }).filter((from) => !known.has(from)),
    ...programs.map(([, specifier]) => at(specifier)),
  ];
  const typed = [...named].map(([, , specifier, name = '']) => ({ from: at(specifier), name }));
  return {
    names: [
      ...[...declared].map(([, name = '']) => name),
      ...lists.flatMap(([, list = '', , specifier]) =>
        specifier === undefined ? namesIn(list).map(({ as }) => as) : [],
      ),
    ],
    passedOn: [
      ...lists.flatMap(([, list = '', , specifier]) =>
        specifier === undefined ? [] : namesIn(list).map((each) => ({ from: at(specifier), ...each })),
      ),
      ...[...whole].map(([, , specifier]) => ({ from: at(specifier), name: ALL, as: ALL })),
    ],
    uses: [
      ...some,
      ...typed,
      ...rest
        .filter((from) => !typed.some((each) => each.from === from))
        .map((from) => ({ from, name: ALL })),
    ],
  };
}

/** Reads a list in braces: `a, type B as C`, or `a: b` of a pattern. */
function namesIn(list: string): readonly { readonly name: string; readonly as: string }[] {
  return list
    .split(',')
    .map((each) => each.trim().replace(/^type\s+/, ''))
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', as = name] = each.split(/\s+as\s+|\s*:\s*/);
      return { name, as };
    });
}
