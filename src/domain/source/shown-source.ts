import type { Located } from '../catalogue/contents.js';
import type { Source } from './source.js';

/**
 * Returns the source of a version, if a reader of the version may see it: everybody where the issuer says that the repository
 * is public, or the docinfo has `source: public`; else only who is known (contract section 12).
 * @param isKnown whether the reader has said who they are
 */
export function shownSource({ project, version }: Located, isKnown: boolean): Source | undefined {
  const { source, docinfo } = version.record;
  const isForAll = source?.isPublic === true || (project?.docinfo ?? docinfo)?.source === 'public';
  return isKnown || isForAll ? source : undefined;
}
