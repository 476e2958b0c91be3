import type { Context } from 'koa';
import type { Download } from '../../../application/index.js';
import { archiveNameOf } from '../../../domain/index.js';
import { setCachePolicy } from '../response/cache-policy.js';
import { redirect } from '../response/redirect.js';
import { sendFile } from '../response/send-file.js';
import { NO_INDEX } from './indexing.js';

/** Sends a version's archive, named after the version that `latest` resolved to, or redirects to the store that has it. */
export async function sendArchive(ctx: Context, download: Download): Promise<void> {
  // Archives are the largest thing that a crawler can take, and nothing that a search finds.
  ctx.set(NO_INDEX);
  if ('url' in download) {
    redirect(ctx, download.url);
    // The address is signed, and valid for minutes only.
    setCachePolicy(ctx, 'never');
    return;
  }
  const name = archiveNameOf(download.version.directoryName);
  ctx.attachment(name);
  await sendFile(ctx, { file: download.file, name });
}
