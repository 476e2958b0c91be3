import { addressOfSection } from '../domain/index.js';
import type { PageHit } from './page-search/search-pages.js';

/**
 * Path of a found page from the root of the server, percent-encoded, with the section's anchor. The latest version is
 * addressed by its alias, as readers link to it.
 */
export function pathOfHit({ project, version, path, anchor }: PageHit): string {
  const directory = project?.isLatest(version) ? `${version.project}-latest` : version.directoryName;
  return `/${directory}/${addressOfSection(path, anchor)}`;
}
