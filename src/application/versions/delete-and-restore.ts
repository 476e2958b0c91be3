import {
  type Actor,
  isPreview,
  nameInProject,
  previewIdOf,
  Refusal,
  refuse,
  type VersionId,
  versionIdOf,
} from '../../domain/index.js';
import type { Changes } from '../changes.js';
import type { Catalogues, Published, RemovedVersion, RemoveOptions } from '../ports/doc-store.js';
import type { LocalStore } from '../ports/store-abilities.js';
import { DEFAULT_PREVIEW_MS, freeRoom } from './upload-limits.js';

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

/** The store that restores, and its limits. */
export interface RestoreParts {
  readonly docs: Catalogues;
  readonly changes: Pick<Changes, 'restore'>;
  readonly disk?: Pick<LocalStore, 'freeBytes'> | undefined;
  readonly minFreeBytes: number;
  /** Lifetime of a restored preview, in milliseconds; 0 keeps it. */
  readonly previewMs?: number | undefined;
}

/** Use case: lists versions that were removed or replaced, and publishes one of them again. */
export class RestoreVersion {
  constructor(private readonly parts: RestoreParts) {}

  /**
   * Returns what can be restored of the token's projects, newest removal first.
   * @throws Refusal `manage_not_allowed`
   */
  async list({ policy }: Actor): Promise<readonly RemovedVersion[]> {
    if (!policy.mayManage) throw refuse.manageNotAllowed(policy.name);
    const removed = await this.parts.docs.removed();
    return removed.filter(({ version }) => policy.whyNotManage(version.project) === undefined);
  }

  /**
   * Restores the publication that was removed last, or another one.
   * @param label of a version; `~<name>` of a preview, which then lives as long as one that is uploaded now
   * @param options.revision of the publication
   * @param options.replace whether it takes the place of the version that is there now
   * @throws Refusal `project_not_allowed`, `manage_not_allowed`, `project_not_existing`, `version_exists` for a token that
   *   may not overwrite, `version_not_found`, `version_exists`, `insufficient_storage`
   */
  async restore(
    actor: Actor,
    project: string,
    label: string,
    options: { readonly revision?: string | undefined; readonly replace?: boolean } = {},
  ): Promise<Published> {
    const { revision, replace = false } = options;
    const { docs, changes, disk, minFreeBytes, previewMs = DEFAULT_PREVIEW_MS } = this.parts;
    const existing = docs.catalogue().project(project);
    const refusal = actor.policy.whyNotRestore({
      project,
      label,
      projectExists: existing !== undefined,
      // No version has the name of a preview, which each token of its project may replace.
      versionExists: replace && existing?.version(label) !== undefined,
    });
    if (refusal !== undefined) throw refusal;
    const isWanted = ({ version }: RemovedVersion) =>
      version.project === project &&
      nameInProject(version) === label &&
      (revision ?? version.revision) === version.revision;
    const removed = (await docs.removed()).find(isWanted);
    if (removed === undefined) throw refuse.notRestorable(project, label);
    const isThere = docs.catalogue().version(removed.version.directoryName) !== undefined;
    if (isThere && !replace) throw refuse.versionIsBack(project, label);
    const now = new Date();
    const end = isPreview(removed.version) && previewMs > 0 ? new Date(now.getTime() + previewMs) : undefined;
    try {
      const roomBytes = await freeRoom(disk, minFreeBytes);
      const mayReplace = replace && (actor.policy.mayOverwrite || isPreview(removed.version));
      const how = { replace: mayReplace, roomBytes, expiresAt: end };
      return await changes.restore({ actor, now, reason: 'restore' }, removed, how);
    } catch (error) {
      // It was published meanwhile: the refusal is about uploads.
      const isBack =
        error instanceof Refusal && error.code === 'version_exists' && error.facts.token !== undefined;
      throw isBack && !replace ? refuse.versionIsBack(project, label) : error;
    }
  }
}
