import type { Context } from 'koa';
import type { DownloadVersion } from '../../../application/index.js';
import { archiveNameOf } from '../../../domain/index.js';
import { sendFile } from '../response/send-file.js';

/** Sends a version's archive, named after the version that `latest` resolved to. */
export async function sendArchive(
  ctx: Context,
  downloadVersion: DownloadVersion,
  project: string,
  version: string,
): Promise<void> {
  const { version: found, file } = await downloadVersion.execute({ project, version });
  const name = archiveNameOf(found.directoryName);
  ctx.attachment(name);
  await sendFile(ctx, { file, name });
}
