import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ROOT } from './root.js';

/** One source file, by its path below the project with `/`: `src/domain/version.ts`. */
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

/** Stands for all exports of a module. */
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
  const at = (specifier = '') => resolved(path, specifier);
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
  // An import whose names are not told apart takes all: `import * as`, `import('…')` without braces.
  const rest = filesImportedBy({ path, text }).filter((from) => !known.has(from));
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
