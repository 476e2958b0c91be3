import { type Actor, previewIdOf, refuse, type VersionId, versionIdOf } from '../../domain/index.js';
import type { Changes } from '../changes.js';
import type { Catalogues, RemoveOptions } from '../ports/doc-store.js';

/** Use case: removes one version, which cannot be named by `latest`, or one preview. */
export class DeleteVersion {
  constructor(
    private readonly docs: Catalogues,
    private readonly changes: Pick<Changes, 'remove'>,
  ) {}

  /**
   * @param options.purge deletes for good; see `RemoveOptions`
   * @throws Refusal `project_not_allowed`, `delete_not_allowed`, `project_not_found`, `version_not_found`, in this order
   */
  async remove(
    actor: Actor,
    project: string,
    version: string,
    options: Pick<RemoveOptions, 'purge'> = {},
  ): Promise<VersionId> {
    const refusal = actor.policy.whyNotDelete(project);
    if (refusal !== undefined) throw refusal;
    const id = versionIdOf(project, version);
    // No version can have this label, so the store is not asked.
    if (id === undefined) {
      const isThere = this.docs.catalogue().project(project) !== undefined;
      throw isThere ? refuse.versionNotFound(project, version) : refuse.projectNotFound(project);
    }
    await this.changes.remove({ actor, now: new Date(), reason: 'delete' }, id, options);
    return id;
  }

  /** @throws Refusal `project_not_allowed`, `preview_not_found`, in this order */
  async removePreview(actor: Actor, project: string, name: string): Promise<VersionId> {
    const refusal = actor.policy.whyNotDeletePreview(project);
    if (refusal !== undefined) throw refusal;
    const id = previewIdOf(project, name);
    if (id === undefined) throw refuse.previewNotFound(project, name);
    await this.changes.remove({ actor, now: new Date(), reason: 'delete' }, id, { purge: true });
    return id;
  }
}
