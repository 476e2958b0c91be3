import { refuse, type TokenPolicy, type VersionId, versionIdOf } from '../domain/index.js';
import { authenticate } from './authenticate.js';
import type { DocStore } from './ports/doc-store.js';
import type { TokenRegistry } from './ports/token-registry.js';

/** Removes one version. `latest` is no version to delete. */
export class DeleteVersion {
  constructor(
    private readonly docs: DocStore,
    private readonly tokens: TokenRegistry,
  ) {}

  /** @throws Refusal `authentication_required` */
  authenticate(secret: string | undefined): TokenPolicy {
    return authenticate(this.tokens, secret);
  }

  /**
   * @throws Refusal `authentication_required`, `project_not_allowed`, `delete_not_allowed`, `project_not_found`,
   *   `version_not_found`, in this order
   */
  async execute(request: {
    readonly secret: string | undefined;
    readonly project: string;
    readonly version: string;
  }): Promise<VersionId> {
    const refusal = this.authenticate(request.secret).whyNotDelete(request.project);
    if (refusal !== undefined) throw refusal;
    const project = (await this.docs.catalogue()).project(request.project);
    if (project === undefined) throw refuse.projectNotFound(request.project);
    const id = versionIdOf(request.project, request.version);
    if (id === undefined) throw refuse.versionNotFound(request.project, request.version);
    await this.docs.remove(id);
    return id;
  }
}
