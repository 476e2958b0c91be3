import { describeUpload } from '../../../../application/index.js';
import type { AppParts } from '../../app-parts.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';
import { sitePathOf } from '../projections.js';
import { secretOf } from '../secret.js';
import { assertMultipart, expiresIn, receiveUpload } from '../uploads/receive-upload.js';

/** `POST /api/upload`: publishes a version from a zip archive. */
export function uploadOperation({ useCases, gate, at, uploadPace }: AppParts): ApiOperation {
  const { uploadVersion } = useCases;
  return {
    method: 'post',
    path: '/api/upload',
    id: 'uploadVersion',
    summary: 'Publishes a version from a zip archive',
    description:
      'Project and version, or the name of a preview, come from the file name of the part `file`. Of the other parts, only `expires` counts.',
    upload: true,
    needsToken: true,
    answers: {
      200: {
        description: 'Published; it replaced the version that was there.',
        body: 'UploadResult',
        headers: ['Location'],
      },
      201: { description: 'Published; the version is new.', body: 'UploadResult', headers: ['Location'] },
    },
    refusals: [
      'invalid_request',
      'invalid_filename',
      'invalid_archive',
      'authentication_required',
      'project_not_allowed',
      'project_not_existing',
      'version_exists',
      'name_taken',
      'upload_too_large',
      'archive_too_large',
      'unsupported_media_type',
      'insufficient_storage',
    ],
    handle: async (ctx) => {
      const policy = uploadVersion.authenticate(secretOf(ctx));
      ctx.state.notes.token = policy.name;
      assertMultipart(ctx);
      await uploadVersion.assertRoom(Number(ctx.get('Content-Length')) || 0);
      await gate.through(policy.name, async () => {
        if (ctx.get('Expect').toLowerCase() === '100-continue') ctx.res.writeContinue();
        const received = await receiveUpload(ctx, policy, uploadVersion, uploadPace);
        ctx.state.notes.archiveBytes = received.archive.size;
        const result = await uploadVersion.publish(received, { expires: expiresIn(ctx) });
        const { project, label, directoryName, expiresAt } = result.version;
        const url = at.to(sitePathOf(directoryName));
        ctx.set('Location', url);
        answer(ctx, 'UploadResult', result.replaced ? 200 : 201, {
          success: true,
          message: describeUpload(result, url, at.hosts?.placeOf(url)),
          project,
          version: label,
          directory: directoryName,
          url,
          files_extracted: result.filesExtracted,
          ...(expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }),
        });
      });
    },
  };
}
