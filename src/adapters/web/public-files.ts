import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Body } from '../../formats/api/bodies.js';

/**
 * Absolute path of the folder that is served at the root of the server. All its files are in `-/`, which no site can
 * be named: `public/-/assets/lectern.css` is served as `/-/assets/lectern.css`.
 */
export const publicDirectory: string = fileURLToPath(new URL('./public', import.meta.url));

const JSZIP = dirname(createRequire(import.meta.url).resolve('jszip/package.json'));
const { version } = JSON.parse(readFileSync(join(JSZIP, 'package.json'), 'utf8')) as { version: string };

/**
 * The zip library, and its license. Only the upload page needs a library. The address changes with its version, so browsers
 * may keep the files.
 */
export const libraries = ['dist/jszip.min.js', 'LICENSE.markdown'].map((file) => ({
  path: `/-/assets/jszip-${version}/${file}`,
  content: readFileSync(join(JSZIP, file)),
  isImmutable: true as const,
}));

/** Font of the pages, which the build copies; without it the pages have the fonts of the system. */
const FONT = '/-/assets/inter-5.3.0.woff2';
export const fonts = existsSync(join(publicDirectory, FONT))
  ? [{ path: FONT, content: readFileSync(join(publicDirectory, FONT)), isImmutable: true as const }]
  : [];

/** Paths of the scripts by which the upload page packs folders. */
export const zipWriter = libraries.flatMap(({ path }) => (path.endsWith('.js') ? [path] : []));

/** The client as one file, `/-/client.mjs`. */
export type ClientFile = Pick<Body<'ClientFile'>, 'sha256' | 'bytes'>;

/** Returns what is known of the client's file, which `scripts/build.mjs` makes; undefined where it was not built. */
export function clientFile(): ClientFile | undefined {
  const path = join(publicDirectory, '-/client.mjs');
  if (!existsSync(path)) return undefined;
  const content = readFileSync(path);
  return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}

/** A script of a page, with the attributes of its element. */
export interface Script {
  /** Begins with `/-/`, without the base path. */
  readonly path: string;
  /** Hash of the script, also for the policy of the page. */
  readonly integrity: string;
  readonly type?: 'module';
  readonly defer?: true;
  readonly blocking?: 'render';
}

/** Scripts of a page, by their paths. */
export interface Scripts {
  /** Modules that change what readers see at first: browsers that can wait for them with the first paint. */
  readonly beforePaint?: readonly string[];
  readonly modules: readonly string[];
  /** Third-party scripts that are no modules. They run before the modules. */
  readonly libraries?: readonly string[];
}

/** Path of a script among the assets. */
export const asset = (name: string): string => `/-/assets/${name}.js`;
export const SWITCHER = '/-/switcher.js';

/** `from './x.js'` and `import('./x.js')`, as the modules of the public directory write their imports. */
const IMPORT = /\b(?:from |import\()'(\.[^']+)'/g;

interface ScriptFile {
  readonly path: string;
  readonly integrity: string;
  /** Paths of the modules that it imports. */
  readonly imports: readonly string[];
}

const known = new Map<string, ScriptFile>();

/**
 * Returns the scripts of a page, modules with all that they import, imported ones first. A policy of hashes allows what
 * a page names with its hash, not what a module imports; and browsers load what is named at once, not one after the other.
 */
export function scriptsOf({ libraries = [], beforePaint = [], modules }: Scripts): readonly Script[] {
  const visited = new Set<string>();
  const visit = (path: string): ScriptFile[] => {
    if (visited.has(path)) return [];
    visited.add(path);
    const file = read(path);
    return [...file.imports.flatMap(visit), file];
  };
  const named = (paths: readonly string[], attributes: Partial<Script>) =>
    paths.flatMap(visit).map(({ path, integrity }) => ({ path, integrity, ...attributes }));
  return [
    ...named(libraries, { defer: true }),
    ...named(beforePaint, { type: 'module', blocking: 'render' }),
    ...named(modules, { type: 'module' }),
  ];
}

/** Returns the script at a path of the server, read once. */
function read(path: string): ScriptFile {
  const before = known.get(path);
  if (before !== undefined) return before;
  const library = libraries.find((file) => file.path === path);
  const text = library?.content ?? readFileSync(join(publicDirectory, path));
  const integrity = `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const imports = library ? [] : [...text.toString().matchAll(IMPORT)].map(([, to = '']) => to);
  const script = { path, integrity, imports: imports.map((to) => posix.join(posix.dirname(path), to)) };
  known.set(path, script);
  return script;
}
