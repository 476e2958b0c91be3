import { counted, describeName, isPreview, minuteOf } from '../../domain/index.js';
import type { UploadResult } from './upload-version.js';

/** Returns a sentence about an upload for people. @param place address of the site */
export function describeUpload(
  { version, replaced, content }: UploadResult,
  place = `/${version.directoryName}/`,
): string {
  const { expiresAt } = version.record;
  const until = expiresAt === undefined ? '' : `, until ${minuteOf(expiresAt)}`;
  const files = counted(content.facts.site.files, 'file');
  const before = replaced
    ? `; it replaces the ${isPreview(version) ? 'preview' : 'version'} that was there`
    : '';
  return `${describeName(version)} is published at ${place} with ${files}${until}${before}`;
}
