import { previewIdOf, refuse, type TokenPolicy, type VersionId, versionIdOf } from '../domain/index.js';
import { authenticate } from './authenticate.js';
import type { DocStore, RemoveOptions } from './ports/doc-store.js';
import type { TokenRegistry } from './ports/token-registry.js';

/**
 * Use case: removes one version, which cannot be named by `latest`, or one preview. A server calls the steps one by one: it logs the
 * token's name before it checks the rights. `execute` runs both.
 */
export class DeleteVersion {
  constructor(
    private readonly docs: Pick<DocStore, 'catalogue' | 'remove'>,
    private readonly tokens: TokenRegistry,
  ) {}

  /** @throws Refusal `authentication_required` */
  authenticate(secret: string | undefined): TokenPolicy {
    return authenticate(this.tokens, secret);
  }

  /**
   * @param options.purge deletes for good; see `RemoveOptions`
   * @throws Refusal `project_not_allowed`, `delete_not_allowed`, `project_not_found`, `version_not_found`, in this order
   */
  async remove(
    policy: TokenPolicy,
    project: string,
    version: string,
    options: Pick<RemoveOptions, 'purge'> = {},
  ): Promise<VersionId> {
    const refusal = policy.whyNotDelete(project);
    if (refusal !== undefined) throw refusal;
    const id = versionIdOf(project, version);
    // No version can have this label, so the store is not asked.
    if (id === undefined) {
      const isThere = this.docs.catalogue().project(project) !== undefined;
      throw isThere ? refuse.versionNotFound(project, version) : refuse.projectNotFound(project);
    }
    await this.docs.remove(id, options);
    return id;
  }

  /** @throws Refusal `project_not_allowed`, `preview_not_found`, in this order */
  async removePreview(policy: TokenPolicy, project: string, name: string): Promise<VersionId> {
    const refusal = policy.whyNotDeletePreview(project);
    if (refusal !== undefined) throw refusal;
    const id = previewIdOf(project, name);
    if (id === undefined) throw refuse.previewNotFound(project, name);
    await this.docs.remove(id, { purge: true });
    return id;
  }

  /** @throws Refusal `authentication_required`, and the refusals of `remove` */
  async execute(request: {
    readonly secret: string | undefined;
    readonly project: string;
    readonly version: string;
    readonly purge?: boolean;
  }): Promise<VersionId> {
    const { secret, project, version, purge = false } = request;
    return this.remove(this.authenticate(secret), project, version, { purge });
  }
}
