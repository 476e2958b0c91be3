import type { Version } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { AppParts } from '../../app-parts.js';
import type { PublicAddress } from '../../public-address.js';
import { jsonAnswer } from '../../response/answer.js';
import type { ApiOperation } from '../api-operation.js';
import { archivePathOf, deletedBody, sitePathOf } from '../projections.js';

/** `/api/previews/{project}` and `/api/previews/{project}/{name}`: lists, shows and deletes previews. */
export function previewOperations({ useCases, at }: AppParts): readonly ApiOperation[] {
  const { showPreviews, deleteVersion } = useCases;
  return [
    {
      method: 'get',
      path: '/api/previews/{project}',
      id: 'listPreviews',
      use: 'Read and search',
      summary: 'Lists the previews of a project',
      description: 'Newest first. Previews are not in `/api/projects`.',
      parameters: ['project'],
      answers: { 200: { description: 'All previews that have not expired.', body: 'PreviewList' } },
      refusals: ['project_not_found'],
      handle: async (asked) => {
        const previews = await showPreviews.ofProject(asked.visitor.seen(), asked.params.project ?? '');
        const bodies = previews.map((preview) => previewBody(preview, at));
        return jsonAnswer('PreviewList', 200, { previews: bodies, count: bodies.length });
      },
    },
    {
      method: 'get',
      path: '/api/previews/{project}/{name}',
      id: 'showPreview',
      use: 'Read and search',
      summary: 'Shows one preview',
      parameters: ['project', 'name'],
      answers: { 200: { description: 'The preview.', body: 'Preview' } },
      refusals: ['preview_not_found'],
      handle: async (asked) => {
        const { project = '', name = '' } = asked.params;
        return jsonAnswer(
          'Preview',
          200,
          previewBody(await showPreviews.execute(asked.visitor.seen(), project, name), at),
        );
      },
    },
    {
      method: 'delete',
      path: '/api/previews/{project}/{name}',
      id: 'deletePreview',
      use: 'Manage',
      summary: 'Deletes a preview',
      description: 'Needs a token for the project, but not `allow_delete`.',
      parameters: ['project', 'name'],
      needsToken: true,
      answers: {
        200: {
          description: 'Deleted.',
          body: 'DeleteResult',
          example: deletedBody({
            project: 'my-project',
            label: 'pr-123',
            directoryName: 'my-project~pr-123',
          }),
        },
      },
      refusals: ['project_not_allowed', 'preview_not_found'],
      handle: async (asked, actor) => {
        const { project = '', name = '' } = asked.params;
        const id = await deleteVersion.removePreview(actor, project, name);
        return jsonAnswer('DeleteResult', 200, deletedBody(id));
      },
    },
  ];
}

function previewBody(preview: Version, at: PublicAddress): Body<'Preview'> {
  const { project, label, directoryName } = preview;
  const { publishedAt, expiresAt } = preview.record;
  return {
    project,
    name: label,
    directory_name: directoryName,
    url: at.to(sitePathOf(directoryName)),
    download_url: at.to(archivePathOf(directoryName)),
    published_at: publishedAt.toISOString(),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }),
  };
}
