import type { AppParts } from '../../app-parts.js';
import { archiveAnswer } from '../../sites/archive.js';
import type { ApiOperation } from '../api-operation.js';

const ZIP = { 'application/zip': { schema: { type: 'string', format: 'binary' } } };

/** `GET /api/download/{project}/{version}`: a version's archive. */
export function downloadOperation({ useCases, readers }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/download/{project}/{version}',
    id: 'downloadVersion',
    use: 'Read and search',
    summary: 'Downloads a version as a zip archive',
    description: 'The uploaded archive, byte for byte. That of a copied-in directory is packed.',
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
      302: { description: 'The archive is at another address, with `--presigned-downloads`.' },
      304: {
        description: 'The archive has not changed.',
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
