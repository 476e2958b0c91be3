import type { Download } from '../../../application/index.js';
import { archiveNameOf } from '../../../domain/index.js';
import { type Answer, NO_INDEX, redirectTo } from '../response/answer.js';

/**
 * A version's archive, named after the version that `latest` resolved to, or a redirect to the store that has it. Not for search
 * engines: archives are the largest thing that a crawler can take, and nothing that a search finds.
 */
export function archiveAnswer(download: Download): Answer {
  if ('url' in download) {
    const redirect = redirectTo(download.url);
    // The address is signed, and valid for minutes only.
    return { ...redirect, cache: 'never', headers: { ...redirect.headers, ...NO_INDEX } };
  }
  const name = archiveNameOf(download.version.directoryName);
  return {
    status: 200,
    cache: 'revalidate',
    headers: { ...NO_INDEX, 'Content-Disposition': `attachment; filename="${name}"` },
    body: { file: download.file, name },
  };
}
