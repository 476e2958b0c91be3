import { type Refusal, refuse } from '../refusal.js';
import { hasRule, type RetentionRules } from '../retention/retention-rules.js';
import { coversProject } from './project-pattern.js';

/** The rights of one entry in the tokens file (interface section 5.2). */
export interface TokenGrants {
  /** Directory names, or patterns (see `coversProject`), of projects that the token may change; undefined: every project. */
  readonly projects?: readonly string[];
  /** Projects that the token may read beside those that it may change, as in `projects`. */
  readonly read?: readonly string[];
  readonly allowOverwrite?: boolean;
  readonly allowDelete?: boolean;
  readonly existingProjectsOnly?: boolean;
  readonly allowManage?: boolean;
  /** The token publishes and deletes previews only: it neither replaces, deletes nor manages, whatever else it has. */
  readonly previewsOnly?: boolean;
  /** The token may make others, with part of its own rights. */
  readonly allowTokens?: boolean;
  /** Time from which on the token is not valid any more. */
  readonly expiresAt?: Date;
}

/** The facts of an upload, or a restoration, that a policy decides on. */
export interface UploadIntent {
  readonly project: string;
  readonly label: string;
  readonly projectExists: boolean;
  /** Whether it would take the place of a version. */
  readonly versionExists: boolean;
  /** Whether it is a preview; absent for a version. */
  readonly isPreview?: boolean;
}

/** The rights of one token. Each check returns the refusal, or undefined when the token may. */
export class TokenPolicy {
  constructor(
    /** The human-readable name of the token, never its secret. */
    readonly name: string,
    readonly grants: TokenGrants = {},
  ) {}

  /** Checks for `authentication_required`: an expired token has no rights. @param maker of a token that another one has made */
  whyNotAtAll(now: Date, maker?: string): Refusal | undefined {
    const { expiresAt } = this.grants;
    return expiresAt !== undefined && now >= expiresAt
      ? refuse.expiredToken(this.name, expiresAt, maker)
      : undefined;
  }

  get mayManage(): boolean {
    return this.has('allowManage');
  }

  get mayOverwrite(): boolean {
    return this.has('allowOverwrite');
  }

  /** Whether it may read a project: one that it may change, or that its `read` names. */
  mayRead(project: string): boolean {
    const { read } = this.grants;
    return this.covers(project) || (read !== undefined && coversProject(read, project));
  }

  /** The projects that it may read, as a text that is equal for equal lists; undefined for every project. */
  get readable(): string | undefined {
    const { projects, read = [] } = this.grants;
    return projects && JSON.stringify([...new Set([...projects, ...read])].sort());
  }

  /** Checks for `project_not_allowed`, `version_not_allowed`, `project_not_existing`, `version_exists`, in this order. */
  whyNotUpload({
    project,
    label,
    projectExists,
    versionExists,
    isPreview,
  }: UploadIntent): Refusal | undefined {
    if (!this.covers(project)) return refuse.projectNotAllowed(project, this.name);
    if (this.grants.previewsOnly === true && isPreview !== true) return refuse.versionNotAllowed(this.name);
    if (this.grants.existingProjectsOnly === true && !projectExists) {
      return refuse.projectNotExisting(project, this.name);
    }
    if (versionExists && !this.mayOverwrite) return refuse.versionExists(project, label, this.name);
    return undefined;
  }

  /** Checks for `project_not_allowed`, then `delete_not_allowed`. */
  whyNotDelete(project: string): Refusal | undefined {
    if (!this.covers(project)) return refuse.projectNotAllowed(project, this.name);
    if (!this.has('allowDelete')) return refuse.deleteNotAllowed(this.name);
    return undefined;
  }

  /** Checks for `project_not_allowed`, then `manage_not_allowed`. */
  whyNotManage(project: string): Refusal | undefined {
    if (!this.covers(project)) return refuse.projectNotAllowed(project, this.name);
    if (!this.mayManage) return refuse.manageNotAllowed(this.name);
    return undefined;
  }

  /** Checks as `whyNotManage`, then for `delete_not_allowed` when there is a rule: rules delete versions. */
  whyNotRetain(project: string, rules: RetentionRules): Refusal | undefined {
    return this.whyNotManage(project) ?? (hasRule(rules) ? this.whyNotDelete(project) : undefined);
  }

  /** Checks as `whyNotManage`, then as for an upload: for `project_not_existing` and `version_exists`. */
  whyNotRestore(intent: UploadIntent): Refusal | undefined {
    return this.whyNotManage(intent.project) ?? this.whyNotUpload(intent);
  }

  /** Checks for `project_not_allowed`: whoever may publish previews of a project may delete them. */
  whyNotDeletePreview(project: string): Refusal | undefined {
    return this.covers(project) ? undefined : refuse.projectNotAllowed(project, this.name);
  }

  /** Whether it has a right over versions and settings, which a token for previews has not. */
  private has(right: 'allowOverwrite' | 'allowDelete' | 'allowManage'): boolean {
    return this.grants[right] === true && this.grants.previewsOnly !== true;
  }

  private covers(project: string): boolean {
    return coversProject(this.grants.projects, project);
  }
}
