import type { Version } from '../../domain/index.js';
import { type DrawnSite, drawnSiteOf, withScript } from '../../formats/drawn/drawn-site.js';
import type { Sites } from '../ports/sites.js';
import { bytesOf, fileAt } from '../site-files.js';

/** Bytes of the front page, and of its script, that are looked at. */
const MAX_BYTES = 300_000;

/** A site that a script draws, with the files that it is drawn from. */
export interface FoundDrawnSite {
  readonly site: DrawnSite;
  readonly files: readonly string[];
}

/**
 * Tells whether a script draws a site from files that can be read, by its front page; undefined if not.
 * @param pathsOf lists all files: called where the front page looks like that of such a site
 */
export async function drawnSiteIn(
  docs: Pick<Sites, 'open'>,
  version: Version,
  pathsOf: () => Promise<readonly string[]>,
): Promise<FoundDrawnSite | undefined> {
  const textOf = async (path: string) => {
    const file = await fileAt(docs, version, path);
    return file && new TextDecoder().decode(await bytesOf(file.stream(), MAX_BYTES));
  };
  const html = await textOf('index.html');
  if (html === undefined || drawnSiteOf(html, () => true) === undefined) return undefined;
  const paths = await pathsOf();
  const files = new Set(paths);
  const hasFile = (path: string) => files.has(path);
  let site = drawnSiteOf(html, hasFile);
  if (site === undefined) return undefined;
  if (site.kind === 'openapi' && site.script !== undefined)
    site = withScript(site, (await textOf(site.script)) ?? '', hasFile);
  const { drawnFiles } = await import('../../formats/drawn/read-drawn.js');
  return { site, files: drawnFiles(site, paths) };
}
