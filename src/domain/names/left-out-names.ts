/** Names that version control and file managers add to a site. */
const IGNORED_NAMES = new Set(['.git', '.hg', '.svn', '.bzr', '.jj', '.DS_Store', 'Thumbs.db', '__MACOSX']);

/**
 * Names of caches that builders keep beside the pages: Sphinx's (`environment.pickle` in `.doctrees`) has every setting of the build,
 * secrets in addresses included. No page needs one.
 */
const CACHES = new Set([
  '.doctrees',
  'environment.pickle',
  '.jekyll-cache',
  '.sass-cache',
  '.docusaurus',
  '.cache',
  '.parcel-cache',
  '.ipynb_checkpoints',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
]);

/** Returns whether a file or directory with this name is left out of an archive that is packed. Other dot-files are packed. */
export function isIgnoredName(name: string): boolean {
  return IGNORED_NAMES.has(name);
}

/** Returns whether a file or directory with this name is a cache, which is left out, too, and named to whoever packs. */
export function isBuildCache(name: string): boolean {
  return CACHES.has(name);
}
