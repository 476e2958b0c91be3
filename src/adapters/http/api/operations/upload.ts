import { describeUpload } from '../../../../application/index.js';
import type { AppParts } from '../../app-parts.js';
import { HttpFault } from '../../errors.js';
import { type Asked, jsonAnswer } from '../../response/answer.js';
import { archiveAnswer } from '../../sites/sites.js';
import { actorOf } from '../actor-of.js';
import type { ApiOperation } from '../api-operation.js';
import { sitePathOf, sourceField } from '../projections.js';

const ZIP = { 'application/zip': { schema: { type: 'string', format: 'binary' } } };

/** `POST /api/upload`: publishes a version from a zip archive. */
export function uploadOperation({ useCases, gate, at }: AppParts): ApiOperation {
  const { authenticate, uploadVersion } = useCases;
  return {
    method: 'post',
    path: '/api/upload',
    id: 'uploadVersion',
    use: 'Publish',
    summary: 'Publish a version from a zip archive',
    description:
      'The file name of the part `file` gives project and version, or the name of a preview. Other supported parts are `expires`, `strict`, `strict_links`, `source_repository`, `source_commit`, `source_ref` and `source_run`.',
    upload: true,
    needsToken: true,
    changes: 'publish',
    answers: {
      200: {
        description: 'Published; replaced the existing version.',
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
      'dead_links',
      'unsupported_media_type',
      'insufficient_storage',
    ],
    handle: async (asked, { name, maker }) => {
      const { notes, headers, visitor, waiter, body } = asked;
      assertMultipart(asked);
      const announced = Number(headers['content-length']) || 0;
      await uploadVersion.assertRoom(announced);
      const waited = (ms: number) => {
        notes.waitedMs = Math.round(ms);
      };
      // Tokens that one has made share its places: a hundred of them take no more than one.
      return gate.through({ token: maker ?? name, left: waiter.signal, waited }, async () => {
        // Found again, since the upload may have waited for its place.
        const actor = await actorOf(asked, authenticate);
        await uploadVersion.assertRoom(announced);
        const { received, fields } = await body.upload(actor, uploadVersion);
        notes.archiveBytes = received.archive.size;
        const result = await uploadVersion.publish(received, {
          ...fields,
          at,
          mayKnowOf: (name) => visitor.reader().maySee(name),
        });
        const { links } = result;
        const { project, label, directoryName, record } = result.version;
        const url = at.to(sitePathOf(directoryName));
        notes.warnings = result.warnings.map(({ code }) => code);
        const answer = jsonAnswer('UploadResult', result.replaced ? 200 : 201, {
          success: true,
          message: describeUpload(result, at.hosts?.siteAddress(url) ?? url),
          project,
          version: label,
          directory: directoryName,
          url,
          files_extracted: result.content.facts.site.files,
          ...(record.expiresAt === undefined ? {} : { expires_at: record.expiresAt.toISOString() }),
          ...sourceField(record.source),
          warnings: [...result.warnings],
          ...(links !== undefined && (links.dead > 0 || fields.strictLinks)
            ? { links: { ...links, first: [...links.first] } }
            : {}),
        });
        return { ...answer, headers: { Location: url } };
      });
    },
  };
}

/** @throws HttpFault `unsupported_media_type` when the headers do not announce a plain multipart form */
function assertMultipart({ body }: Asked): void {
  if (!body.is('multipart/form-data')) {
    throw new HttpFault(
      'unsupported_media_type',
      "Send the archive as multipart/form-data with one file part named 'file', as curl does with -F file=@<name>",
    );
  }
  if (body.isEncoded) {
    throw new HttpFault('unsupported_media_type', 'Send the form without a Content-Encoding');
  }
}

/** `GET /api/download/{project}/{version}`: a version's archive. */
export function downloadOperation({ useCases, readers }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/download/{project}/{version}',
    id: 'downloadVersion',
    use: 'Read and search',
    summary: 'Download a version as a zip archive',
    description: 'The uploaded archive, byte for byte. For a copied-in directory, an archive is packed.',
    parameters: ['project', 'versionOrLatest'],
    requestHeaders: ['If-None-Match', 'If-Modified-Since', 'Range', 'If-Range'],
    answers: {
      200: {
        description: 'The archive.',
        body: ZIP,
        headers: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'],
      },
      206: {
        description: 'A range of the archive.',
        body: ZIP,
        headers: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Content-Range'],
      },
      302: { description: 'Address of the archive in the object store, with `--presigned-downloads`.' },
      304: {
        description: 'Not modified.',
        headers: ['ETag', 'Last-Modified', 'Accept-Ranges'],
      },
    },
    refusals: ['project_not_found', 'version_not_found'],
    handle: async (asked) => {
      const { project = '', version = '' } = asked.params;
      const isPrivate = !readers.isPublic(project);
      const { downloadVersion } = useCases;
      return archiveAnswer(
        await downloadVersion.execute(asked.visitor.seen(), { project, version }, isPrivate),
      );
    },
  };
}
