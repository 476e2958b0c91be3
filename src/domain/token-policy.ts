import { type Refusal, refuse } from './refusal.js';

/** What the entry of one token in the tokens file grants (interface section 5.2). */
export interface TokenGrants {
  /** Project directory names that the token may change; undefined means every project. */
  readonly projects?: readonly string[];
  readonly allowOverwrite?: boolean;
  readonly allowDelete?: boolean;
  readonly existingProjectsOnly?: boolean;
}

/** What an upload would do, as far as a policy has to know it. */
export interface UploadIntent {
  readonly project: string;
  readonly label: string;
  readonly projectExists: boolean;
  readonly versionExists: boolean;
}

/** May this token upload, overwrite or delete here? Each question is answered by nothing, or by why not. */
export class TokenPolicy {
  constructor(
    /** The human-readable name of the token, never its secret. */
    readonly name: string,
    private readonly grants: TokenGrants = {},
  ) {}

  get mayOverwrite(): boolean {
    return this.grants.allowOverwrite === true;
  }

  /** `project_not_allowed`, `project_not_existing`, `version_exists`, in this order; undefined means yes. */
  whyNotUpload({ project, label, projectExists, versionExists }: UploadIntent): Refusal | undefined {
    if (!this.covers(project)) return refuse.projectNotAllowed(project, this.name);
    if (this.grants.existingProjectsOnly === true && !projectExists) {
      return refuse.projectNotExisting(project, this.name);
    }
    if (versionExists && !this.mayOverwrite) return refuse.versionExists(project, label, this.name);
    return undefined;
  }

  /** `project_not_allowed`, then `delete_not_allowed`; undefined means yes. */
  whyNotDelete(project: string): Refusal | undefined {
    if (!this.covers(project)) return refuse.projectNotAllowed(project, this.name);
    if (this.grants.allowDelete !== true) return refuse.deleteNotAllowed(this.name);
    return undefined;
  }

  private covers(project: string): boolean {
    return this.grants.projects === undefined || this.grants.projects.includes(project);
  }
}
