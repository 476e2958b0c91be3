import { DAY_MS } from '../clock.js';
import type { Refusal } from '../refusal/refusal.js';
import { refuse } from '../refusal/refuse.js';
import { hasRule, type RetentionRules } from '../retention/retention-rules.js';
import type { Source } from '../source/source.js';

/** The rights of the server itself: all there are. */
const ALL: TokenGrants = { allowOverwrite: true, allowDelete: true, allowManage: true };

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;

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
  whyNotUpload(intent: UploadIntent): Refusal | undefined {
    const { project, label, projectExists, versionExists, isPreview } = intent;
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

  /** Checks for `manage_not_allowed`, in every project. */
  whyNotManageAll(): Refusal | undefined {
    const isForAll = this.mayManage && this.grants.projects === undefined;
    return isForAll ? undefined : refuse.manageAllNotAllowed(this.name);
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

/**
 * Whether a list of projects names a project. An element is a directory name, or a pattern: the beginning of names and
 * a `*` at its end, such as `payments-*`. Compared case-sensitively; `*` alone names nothing.
 * @param projects undefined for every project
 * @param project or an element of another list, which it names when it names every project of that
 */
export function coversProject(projects: readonly string[] | undefined, project: string): boolean {
  return (
    projects === undefined ||
    projects.some((each) => each === project || (isPattern(each) && project.startsWith(each.slice(0, -1))))
  );
}

/** The list of the projects that two lists both name: of two elements, one is a part of the other, or they share nothing. */
export function inBoth(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return [
    ...new Set([
      ...a.filter((each) => coversProject(b, each)),
      ...b.filter((each) => coversProject(a, each)),
    ]),
  ];
}

/** Whether an element of such a list can name a project: it has no `*`, or one after a beginning. */
export function isNameOrPattern(text: string): boolean {
  return !text.includes('*') || isPattern(text);
}

/** Days before its end in which a token is said to expire soon. */
const EXPIRY_WARNING_DAYS = 14;

/** `parseExpiry` in words. */
export const EXPIRY_RULE =
  "a date such as '2027-06-30', whose end in UTC counts, or a time such as '2027-06-30T12:00:00Z'";

/** Parses the end of a token: a date (its end, in UTC) or a time of RFC 3339. @returns undefined for any other text */
export function parseExpiry(text: string): Date | undefined {
  const isDate = DATE.test(text);
  if (!isDate && !TIME.test(text)) return undefined;
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  // JavaScript takes February 30 for March 2.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(text.slice(0, 10)))
    return undefined;
  const end = isDate ? new Date(midnight.getTime() + DAY_MS) : new Date(text);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** Whether a token is in its last days, or has expired. */
export function expiresSoon(expiresAt: Date | undefined, now: Date): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now.getTime() <= EXPIRY_WARNING_DAYS * DAY_MS;
}

function isPattern(text: string): boolean {
  return text.length > 1 && text.indexOf('*') === text.length - 1;
}

/** Sender of a request: the holder of a token, a job with a token of its issuer, or the server by itself. */
export interface Actor {
  /** `server` also means a command that works on a store by itself. */
  readonly kind: 'token' | 'job' | 'server';
  /** Name of the token, never its secret; of the job's entry in `trusted_issuers`; or of the server's task: `retention`. */
  readonly name: string;
  /** The job's subject (`sub`), unchanged, as its issuer wrote it. Jobs only. */
  readonly subject?: string;
  /** Source of the job's site, by the same claims. */
  readonly source?: Source | undefined;
  readonly policy: TokenPolicy;
  /** Name of the token that made this one, whose share of uploads it has; absent for one of the tokens file. */
  readonly maker?: string;
  /** HTTP request of the actor, for the record of changes; absent for an actor without one. */
  readonly request?: {
    readonly id: string;
    /** Network address of the client. */
    readonly address: string | undefined;
  };
}

/** The holder of a token. */
export function tokenActor(name: string, grants?: TokenGrants): Actor {
  return { kind: 'token', name, policy: new TokenPolicy(name, grants) };
}

/** A job that its issuer vouches for. @param name of the entry in `trusted_issuers` */
export function jobActor(name: string, subject: string, grants: TokenGrants, source?: Source): Actor {
  return { kind: 'job', name, subject, source, policy: new TokenPolicy(name, grants) };
}

/** The server, or a command, at one of its tasks. It may do everything, unless it is given less. */
export function serverActor(name: string, grants = ALL): Actor {
  return { kind: 'server', name, policy: new TokenPolicy(name, grants) };
}
