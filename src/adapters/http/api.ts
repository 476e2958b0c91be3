import type { Context } from 'koa';
import type { DeleteVersion, DownloadVersion, UploadVersion } from '../../application/index.js';
import { archiveNameOf } from '../../domain/index.js';
import type { ApiOperation } from './api-operation.js';
import { HttpFault } from './errors.js';
import { openApiDocument } from './openapi.js';
import { sendOwnPage } from './own-page.js';
import type { Pages } from './pages.js';
import type { ProjectListing } from './project-listing.js';
import { sitePathOf } from './projections.js';
import { PublicAddress } from './public-address.js';
import type { Body, SchemaName } from './schemas.js';
import { secretOf } from './secret.js';
import { sendFile } from './send-file.js';
import { assertMultipart, receiveUpload } from './upload.js';
import type { UploadGate } from './upload-gate.js';
import { DEFAULT_UPLOAD_PACE, type UploadPace } from './upload-pace.js';

export interface ApiParts {
  readonly uploadVersion: UploadVersion;
  readonly deleteVersion: DeleteVersion;
  readonly listing: ProjectListing;
  readonly downloadVersion: DownloadVersion;
  readonly pages: Pages;
  /** The help as plain text, for programs. */
  readonly helpText: (model: { address: string }) => string;
  readonly gate: UploadGate;
  readonly uploadPace?: UploadPace;
  /** Where clients find the server; by default at the root of whatever host they name. */
  readonly at?: PublicAddress;
  /** Of Lectern itself: the package's, or `DEV`. */
  readonly version: string;
}

const CONDITIONAL = ['If-None-Match', 'If-Modified-Since'] as const;

/** The seven endpoints of interface section 4. */
export function apiOperations(parts: ApiParts): readonly ApiOperation[] {
  const { uploadVersion, deleteVersion, downloadVersion, listing, pages, gate, version } = parts;
  const { at = new PublicAddress(), uploadPace = DEFAULT_UPLOAD_PACE } = parts;

  const operations: ApiOperation[] = [
    {
      method: 'get',
      path: '/api/help',
      id: 'help',
      summary: 'How to use this server',
      description: 'Plain text for programs; a page when `Accept` prefers HTML.',
      answers: { 200: { description: 'The help.', body: { mediaType: 'text/plain', type: 'string' } } },
      refusals: [],
      handle: async (ctx) => {
        ctx.vary('Accept');
        const address = at.of(ctx);
        if (ctx.accepts('text/plain', 'text/html') === 'text/html') {
          return sendOwnPage(ctx, pages.help({ address }));
        }
        ctx.type = 'text/plain; charset=utf-8';
        ctx.body = parts.helpText({ address });
      },
    },
    {
      method: 'get',
      path: '/api/version',
      id: 'version',
      summary: 'Which server this is',
      answers: { 200: { description: 'Product and version.', body: 'VersionInfo' } },
      refusals: [],
      handle: async (ctx) => answer(ctx, 'VersionInfo', 200, { product: 'lectern', version }),
    },
    {
      method: 'get',
      path: '/api/spec',
      id: 'spec',
      summary: 'This description',
      answers: {
        200: {
          description: 'OpenAPI 3.0 document.',
          body: { mediaType: 'application/json', type: 'object' },
        },
      },
      refusals: [],
      handle: async (ctx) => {
        ctx.body = openApiDocument(operations, version, at.server);
      },
    },
    {
      method: 'get',
      path: '/api/projects',
      id: 'listProjects',
      summary: 'Lists projects and their versions',
      description: 'Sorted by `directory_name`; versions run from the oldest to the newest.',
      parameters: ['search'],
      requestHeaders: ['If-None-Match'],
      answers: {
        200: { description: 'All projects, or those that match.', body: 'ProjectList', headers: ['ETag'] },
        304: { description: 'Nothing has changed.', body: 'none', headers: ['ETag'] },
      },
      refusals: [],
      handle: (ctx) => listing.send(ctx),
    },
    {
      method: 'get',
      path: '/api/download/{project}/{version}',
      id: 'downloadVersion',
      summary: 'Downloads a version as a zip archive',
      description: 'The uploaded archive, byte for byte. A version that was put there by hand is packed.',
      parameters: ['project', 'versionOrLatest'],
      requestHeaders: [...CONDITIONAL, 'Range', 'If-Range'],
      answers: {
        200: {
          description: 'The archive.',
          body: { mediaType: 'application/zip', type: 'binary' },
          headers: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'],
        },
        206: {
          description: 'A range of the archive.',
          body: { mediaType: 'application/zip', type: 'binary' },
          headers: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Content-Range'],
        },
        304: {
          description: 'The archive has not changed.',
          body: 'none',
          headers: ['ETag', 'Last-Modified'],
        },
      },
      refusals: ['project_not_found', 'version_not_found'],
      handle: (ctx) => sendArchive(ctx, downloadVersion, param(ctx, 'project'), param(ctx, 'version')),
    },
    {
      method: 'post',
      path: '/api/upload',
      id: 'uploadVersion',
      summary: 'Publishes a version from a zip archive',
      description: 'Project and version come from the file name of the part `file`. Other parts are ignored.',
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
        'upload_too_large',
        'archive_too_large',
        'unsupported_media_type',
        'insufficient_storage',
      ],
      handle: async (ctx) => {
        const policy = uploadVersion.authenticate(secretOf(ctx));
        ctx.state.token = policy.name;
        assertMultipart(ctx);
        await uploadVersion.assertRoom(Number(ctx.get('Content-Length')) || 0);
        await gate.through(policy.name, async () => {
          if (ctx.get('Expect').toLowerCase() === '100-continue') ctx.res.writeContinue();
          const received = await receiveUpload(ctx, policy, uploadVersion, uploadPace);
          ctx.state.archiveBytes = received.archive.size;
          const result = await uploadVersion.publish(received);
          const { project, label, directoryName } = result.version;
          const url = at.to(sitePathOf(directoryName));
          ctx.set('Location', url);
          answer(ctx, 'UploadResult', result.replaced ? 200 : 201, {
            success: true,
            message: result.message,
            project,
            version: label,
            directory: directoryName,
            url,
            files_extracted: result.filesExtracted,
          });
        });
      },
    },
    {
      method: 'delete',
      path: '/api/delete/{project}/{version}',
      id: 'deleteVersion',
      summary: 'Deletes a version',
      description: 'The token must have `allow_delete`. `latest` is no version to delete.',
      parameters: ['project', 'version'],
      needsToken: true,
      answers: { 200: { description: 'Deleted.', body: 'DeleteResult' } },
      refusals: [
        'authentication_required',
        'project_not_allowed',
        'delete_not_allowed',
        'project_not_found',
        'version_not_found',
      ],
      handle: async (ctx) => {
        const secret = secretOf(ctx);
        ctx.state.token = deleteVersion.authenticate(secret).name;
        const id = await deleteVersion.execute({
          secret,
          project: param(ctx, 'project'),
          version: param(ctx, 'version'),
        });
        answer(ctx, 'DeleteResult', 200, {
          success: true,
          message: `${id.project} ${id.label} is deleted`,
          project: id.project,
          version: id.label,
          directory: id.directoryName,
        });
      },
    },
  ];
  return operations;
}

/** Answers with a version's archive, under the name of the version that `latest` stood for. */
export async function sendArchive(
  ctx: Context,
  downloadVersion: DownloadVersion,
  project: string,
  version: string,
): Promise<void> {
  const { version: found, file } = await downloadVersion.execute({ project, version });
  const name = archiveNameOf(found.directoryName);
  // The grammar of names leaves nothing that would have to be escaped in a quoted string.
  await sendFile(ctx, { file, name, headers: { 'Content-Disposition': `attachment; filename="${name}"` } });
}

function answer<Name extends SchemaName>(ctx: Context, _name: Name, status: number, body: Body<Name>): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-cache');
  ctx.body = body;
}

/** A parameter of the path. The router hands on what it cannot decode as it stands; no name has a `%`. */
function param(ctx: Context, name: string): string {
  const value: unknown = ctx.params[name];
  if (typeof value !== 'string') throw new HttpFault('not_found', 'There is nothing at this path');
  return value;
}
