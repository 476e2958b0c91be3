import type { Context } from 'koa';
import { describeUpload } from '../../../../application/index.js';
import type { AppParts } from '../../app-parts.js';
import { actorOf } from '../actor-of.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';
import { sitePathOf } from '../projections.js';
import { assertMultipart, clientLeft, receiveUpload } from '../uploads/receive-upload.js';

/** `POST /api/upload`: publishes a version from a zip archive. */
export function uploadOperation({ useCases, gate, at, uploadPace, readers }: AppParts): ApiOperation {
  const { authenticate, uploadVersion } = useCases;
  return {
    method: 'post',
    path: '/api/upload',
    id: 'uploadVersion',
    use: 'Publish',
    summary: 'Publishes a version from a zip archive',
    description:
      'Project and version, or the name of a preview, come from the file name of the part `file`. Of the other parts, `expires` and `strict` count.',
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
      'project_not_allowed',
      'version_not_allowed',
      'project_not_existing',
      'version_exists',
      'name_taken',
      'upload_too_large',
      'archive_too_large',
      'site_has_warnings',
      'unsupported_media_type',
      'insufficient_storage',
    ],
    handle: async (ctx, { name, maker }) => {
      const { notes } = ctx.state;
      assertMultipart(ctx);
      const announced = Number(ctx.get('Content-Length')) || 0;
      await uploadVersion.assertRoom(announced);
      const waited = (ms: number) => {
        notes.waitedMs = Math.round(ms);
      };
      // Tokens that one has made share its places: a hundred of them take no more than one.
      await gate.through({ token: maker ?? name, left: leavingOf(ctx), waited }, async () => {
        // Found again, since the upload may have waited for its place.
        const actor = await actorOf(ctx, readers.credentialIn(ctx.req), authenticate);
        await uploadVersion.assertRoom(announced);
        if (ctx.get('Expect').toLowerCase() === '100-continue') ctx.res.writeContinue();
        const { received, fields } = await receiveUpload(ctx, actor, uploadVersion, uploadPace);
        notes.archiveBytes = received.archive.size;
        const result = await uploadVersion.publish(received, {
          ...fields,
          at,
          mayKnowOf: (name) => readers.readerOf(ctx.req).maySee(name),
        });
        const { project, label, directoryName, record } = result.version;
        const url = at.to(sitePathOf(directoryName));
        ctx.set('Location', url);
        notes.warnings = result.warnings.map(({ code }) => code);
        answer(ctx, 'UploadResult', result.replaced ? 200 : 201, {
          success: true,
          message: describeUpload(result, at.hosts?.siteAddress(url) ?? url),
          project,
          version: label,
          directory: directoryName,
          url,
          files_extracted: result.content.facts.site.files,
          ...(record.expiresAt === undefined ? {} : { expires_at: record.expiresAt.toISOString() }),
          warnings: [...result.warnings],
        });
      });
    },
  };
}

/** Is aborted when the client leaves before it has its answer. */
function leavingOf({ res }: Context): AbortSignal {
  const leaving = new AbortController();
  res.once('close', () => leaving.abort(clientLeft()));
  return leaving.signal;
}
