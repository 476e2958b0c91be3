import { LATEST } from '../settings/project-settings.js';
import { decodedComponent } from '../site-path.js';
import type { Contents, Located } from './contents.js';

/** A site whose pages ask for their own files from the root of a host. */
export const ROOT_BASE = '/';

/**
 * Returns the name at the end of the base of a site: that of a version, a preview or an alias, if it is one of Lectern's; undefined
 * for `/`.
 * @param base path as pages write it, with `/` at both ends; see `SiteFacts`
 * @param basePath path in front of all addresses of the server, empty for none: undefined for any other base. Default: any path.
 */
export function nameInBase(base: string, basePath?: string): string | undefined {
  const [, path, name] = /^(.*)\/([^/]+)\/$/.exec(base) ?? [];
  const isBelow = basePath === undefined || path === basePath;
  return name === undefined || !isBelow ? undefined : decodedComponent(name);
}

/**
 * Returns the name under which a site has to be read, since its pages ask for their own files there (contract section 7): its
 * version's own, or an alias that points to this very version now. Undefined: any name will do, or none does.
 */
export function boundName({ project, version }: Located, base: string, basePath: string): string | undefined {
  const name = nameInBase(base, basePath);
  if (name === undefined || name === version.directoryName) return name;
  const start = `${project?.directoryName}-`;
  if (project === undefined || !name.startsWith(start)) return undefined;
  const alias = name.slice(start.length);
  // A version of this name has the address.
  if (project.version(alias) !== undefined) return undefined;
  const meant = alias === LATEST ? project.latest : project.named(alias);
  return meant?.revision === version.revision ? name : undefined;
}

/** Returns whether a path address of the server leads to some version of the same project. */
export function isBaseOfProject(
  seen: Pick<Contents, 'resolve'>,
  { version }: Located,
  base: string,
  basePath: string,
): boolean {
  const name = nameInBase(base, basePath);
  return name !== undefined && seen.resolve(name)?.project === version.project;
}
