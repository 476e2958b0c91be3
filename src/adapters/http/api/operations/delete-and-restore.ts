import {
  describeName,
  isPreview,
  nameInProject,
  shownSource,
  type Version,
} from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import type { Visitor } from '../../access/readers.js';
import type { AppParts } from '../../app-parts.js';
import type { PublicAddress } from '../../public-address.js';
import { jsonAnswer } from '../../response/answer.js';
import type { ApiOperation } from '../api-operation.js';
import { archivePathOf, deletedBody, sitePathOf, sourceField } from '../projections.js';
import { flagOf, parameterOf } from '../query.js';

/** `DELETE /api/delete/{project}/{version}`: deletes a version. */
export function deleteOperation({ useCases: { deleteVersion } }: AppParts): ApiOperation {
  return {
    method: 'delete',
    path: '/api/delete/{project}/{version}',
    id: 'deleteVersion',
    use: 'Manage',
    summary: 'Delete a version',
    description: 'The token must have `allow_delete`. `latest` cannot be deleted.',
    parameters: ['project', 'version', 'purge'],
    needsToken: true,
    changes: 'remove',
    answers: { 200: { description: 'Deleted.', body: 'DeleteResult' } },
    refusals: ['project_not_allowed', 'delete_not_allowed', 'project_not_found', 'version_not_found'],
    handle: async (asked, actor) => {
      const { project = '', version = '' } = asked.params;
      const purge = flagOf(asked, 'purge');
      const id = await deleteVersion.remove(actor, project, version, { purge });
      return jsonAnswer('DeleteResult', 200, deletedBody(id, purge));
    },
  };
}

/** `GET /api/removed`: versions that can be restored. */
export function removedOperation({ useCases: { restoreVersion } }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/removed',
    id: 'listRemoved',
    use: 'Manage',
    summary: 'List deleted and replaced versions, and expired previews, that can be restored',
    description: 'Covers the projects of the token, which must have `allow_manage`. Last removed first.',
    needsToken: true,
    answers: { 200: { description: 'Removed versions.', body: 'RemovedList' } },
    refusals: ['manage_not_allowed'],
    handle: async (_asked, actor) => {
      const removed = (await restoreVersion.list(actor)).map(
        ({ version, removedAt, isReplaced, expiresAt }) => ({
          project: version.project,
          version: nameInProject(version),
          directory: version.directoryName,
          revision: version.revision,
          reason: reasonOf(version, isReplaced),
          published_at: version.record.publishedAt.toISOString(),
          removed_at: removedAt.toISOString(),
          expires_at: expiresAt.toISOString(),
          ...(version.record.archive === undefined ? {} : { archive_bytes: version.record.archive.size }),
        }),
      );
      // A shared cache must not give the list of one token to another.
      return jsonAnswer('RemovedList', 200, { removed, count: removed.length }, 'never');
    },
  };
}

/** `POST /api/restore/{project}/{version}`: publishes a deleted or replaced version, or an expired preview, again. */
export function restoreOperation({ useCases: { restoreVersion }, at }: AppParts): ApiOperation {
  return {
    method: 'post',
    path: '/api/restore/{project}/{version}',
    id: 'restoreVersion',
    use: 'Manage',
    summary: 'Restore a deleted or replaced version, or an expired preview',
    description:
      'The token must have `allow_manage`, and `allow_overwrite` to replace a version; with `existing_projects_only`, it cannot restore into a project that no longer exists. `GET /api/removed` lists what can be restored. A preview is named `~<name>`, and expires as if it were uploaded now.',
    parameters: ['project', 'version', 'replace', 'revision'],
    needsToken: true,
    changes: 'restore',
    answers: {
      200: {
        description: 'Restored; replaced the existing version.',
        body: 'RestoreResult',
        headers: ['Location'],
      },
      201: { description: 'Restored.', body: 'RestoreResult', headers: ['Location'] },
    },
    refusals: [
      'project_not_allowed',
      'manage_not_allowed',
      'project_not_existing',
      'version_not_found',
      'version_exists',
      'name_taken',
      'insufficient_storage',
    ],
    handle: async (asked, actor) => {
      const options = {
        replace: flagOf(asked, 'replace'),
        revision: parameterOf(asked, 'revision') || undefined,
      };
      const { project = '', version: label = '' } = asked.params;
      const { version, replaced } = await restoreVersion.restore(actor, project, label, options);
      const url = at.to(sitePathOf(version.directoryName));
      const instead = replaced ? '; replaced the existing version' : '';
      const body = jsonAnswer('RestoreResult', replaced ? 200 : 201, {
        success: true,
        message: `Restored ${describeName(version)} at ${url}${instead}`,
        project: version.project,
        version: nameInProject(version),
        directory: version.directoryName,
        url,
      });
      return { ...body, headers: { Location: url } };
    },
  };
}

/** Previews are kept only where they have expired. */
function reasonOf(version: Version, isReplaced: boolean): 'deleted' | 'replaced' | 'expired' {
  if (isPreview(version)) return 'expired';
  return isReplaced ? 'replaced' : 'deleted';
}

/** `/api/previews/{project}` and `/api/previews/{project}/{name}`: lists, shows and deletes previews. */
export function previewOperations({ useCases, at }: AppParts): readonly ApiOperation[] {
  const { showPreviews, deleteVersion } = useCases;
  return [
    {
      method: 'get',
      path: '/api/previews/{project}',
      id: 'listPreviews',
      use: 'Read and search',
      summary: 'List the previews of a project',
      description: 'Newest first. Previews are not in `/api/projects`.',
      parameters: ['project'],
      answers: { 200: { description: 'All previews that have not expired.', body: 'PreviewList' } },
      refusals: ['project_not_found'],
      handle: async (asked) => {
        const { visitor, params } = asked;
        const previews = await showPreviews.ofProject(visitor.seen(), params.project ?? '');
        const bodies = previews.map((preview) => previewBody(preview, at, visitor));
        return jsonAnswer('PreviewList', 200, { previews: bodies, count: bodies.length });
      },
    },
    {
      method: 'get',
      path: '/api/previews/{project}/{name}',
      id: 'showPreview',
      use: 'Read and search',
      summary: 'Show a preview',
      parameters: ['project', 'name'],
      answers: { 200: { description: 'The preview.', body: 'Preview' } },
      refusals: ['preview_not_found'],
      handle: async (asked) => {
        const { project = '', name = '' } = asked.params;
        return jsonAnswer(
          'Preview',
          200,
          previewBody(await showPreviews.execute(asked.visitor.seen(), project, name), at, asked.visitor),
        );
      },
    },
    {
      method: 'delete',
      path: '/api/previews/{project}/{name}',
      id: 'deletePreview',
      use: 'Manage',
      summary: 'Delete a preview',
      description: 'Requires a token for the project, but not `allow_delete`.',
      parameters: ['project', 'name'],
      needsToken: true,
      changes: 'purge',
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

function previewBody(preview: Version, at: PublicAddress, visitor: Visitor): Body<'Preview'> {
  const { project, label, directoryName } = preview;
  const { publishedAt, expiresAt } = preview.record;
  const located = { project: visitor.seen().project(project), version: preview };
  return {
    project,
    name: label,
    directory_name: directoryName,
    url: at.to(sitePathOf(directoryName)),
    download_url: at.to(archivePathOf(directoryName)),
    published_at: publishedAt.toISOString(),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }),
    ...sourceField(shownSource(located, visitor.isSomebody)),
  };
}
