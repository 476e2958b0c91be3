import { refuse, type TokenPolicy, type VersionId, versionIdOf } from '../domain/index.js';
import { authenticate } from './authenticate.js';
import type { DocStore } from './ports/doc-store.js';
import type { TokenRegistry } from './ports/token-registry.js';

/**
 * Use case: removes one version, which cannot be named by `latest`. A server calls the steps one by one: it logs the
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

  /** @throws Refusal `project_not_allowed`, `delete_not_allowed`, `project_not_found`, `version_not_found`, in this order */
  async remove(policy: TokenPolicy, project: string, version: string): Promise<VersionId> {
    const refusal = policy.whyNotDelete(project);
    if (refusal !== undefined) throw refusal;
    const id = versionIdOf(project, version);
    // No version can have this label, so the store is not asked.
    if (id === undefined) {
      const isThere = this.docs.catalogue().project(project) !== undefined;
      throw isThere ? refuse.versionNotFound(project, version) : refuse.projectNotFound(project);
    }
    await this.docs.remove(id);
    return id;
  }

  /** @throws Refusal `authentication_required`, and the refusals of `remove` */
  async execute(request: {
    readonly secret: string | undefined;
    readonly project: string;
    readonly version: string;
  }): Promise<VersionId> {
    return this.remove(this.authenticate(request.secret), request.project, request.version);
  }
}
