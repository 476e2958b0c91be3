/** Facts about a source that a client may tell, too. */
export const SOURCE_FACTS = ['repository', 'commit', 'ref', 'run'] as const;
export type SourceFact = (typeof SOURCE_FACTS)[number];

/**
 * Where a site was built from: repository, commit, branch or tag, and run of CI. Facts that are not known are absent; each has
 * the form that `sourceFact` checks.
 */
export interface Source {
  /** The issuer of a job's token says so, or the client that uploaded the site. */
  readonly toldBy: 'issuer' | 'client';
  /** Path of the repository at its service, `acme/widgets`; with the host in front where it is no path at a known service. */
  readonly repository?: string;
  /** Lower-case hexadecimal. */
  readonly commit?: string;
  /** `refs/heads/main`, `refs/tags/v1.0`; the name alone at GitLab: `main`. */
  readonly ref?: string;
  /** Id of the run of CI; of the job at GitLab. */
  readonly run?: string;
  /** Number of the attempt at that run. */
  readonly attempt?: string;
  /** Service that the issuer stands for, if its addresses are known. */
  readonly service?: SourceService;
  /** Whether the issuer says that everybody may see the repository. */
  readonly isPublic?: true;
}

export interface SourceService {
  readonly name: keyof typeof PATHS;
  /** An https address without `/` at its end; see `SERVICE_ADDRESS`. */
  readonly address: string;
}

/** Addresses that lead to a source. */
export interface SourceLinks {
  readonly repository?: string;
  readonly commit?: string;
  readonly run?: string;
}

/** Paths below the address of a repository, by service. */
const PATHS = {
  github: { commit: '/commit/', run: '/actions/runs/', attempt: '/attempts/' },
  gitlab: { commit: '/-/commit/', run: '/-/jobs/', attempt: undefined },
} as const;

/** Form of the address of a service: nothing in it can end an attribute, or lead elsewhere. */
export const SERVICE_ADDRESS =
  /^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:\/(?!\.+(?:\/|$))[\w.~-]+)*$/;

interface Form {
  readonly pattern: RegExp;
  readonly maxCharacters: number;
  /** The rule as text for people. */
  readonly rule: string;
}

/** Forms of the facts. None has white space, quotes, invisible characters, or a component of dots only. */
export const SOURCE_FORMS: Readonly<Record<SourceFact | 'attempt', Form>> = {
  repository: {
    pattern: /^(?!\.+(?:\/|$))[\w.~-]+(?:\/(?!\.+(?:\/|$))[\w.~-]+)*$/,
    maxCharacters: 200,
    rule: "letters, digits, '.', '_', '~' and '-' in parts with '/' between them, at most 200 characters",
  },
  commit: { pattern: /^[\da-f]{7,64}$/, maxCharacters: 64, rule: '7 to 64 hexadecimal digits' },
  ref: {
    pattern: /^(?!.*\.\.)[\p{L}\p{M}\p{N}/._+#@=,-]+$/u,
    maxCharacters: 255,
    rule: "the name of a branch or tag: letters, digits and '/._+#@=,-', no '..', at most 255 characters",
  },
  run: {
    pattern: /^(?:\d{1,20}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/,
    maxCharacters: 36,
    rule: 'at most 20 digits, or a UUID',
  },
  attempt: { pattern: /^\d{1,6}$/, maxCharacters: 6, rule: 'at most 6 digits' },
};

/** Returns a fact as it is kept: hexadecimal digits in lower case. Undefined for a text of another form. */
export function sourceFact(fact: keyof typeof SOURCE_FORMS, text: string): string | undefined {
  const { pattern, maxCharacters } = SOURCE_FORMS[fact];
  if (text.length > maxCharacters) return undefined;
  const kept = fact === 'commit' || fact === 'run' ? text.toLowerCase() : text;
  return pattern.test(kept) ? kept : undefined;
}

/** Returns the addresses of a source at the service that its issuer stands for; none of a source that a client told. */
export function sourceLinks({ toldBy, service, repository, commit, run, attempt }: Source): SourceLinks {
  if (toldBy !== 'issuer' || service === undefined || repository === undefined) return {};
  const paths = PATHS[service.name];
  const at = `${service.address}/${repository}`;
  const ofAttempt = paths.attempt === undefined || attempt === undefined ? '' : paths.attempt + attempt;
  return {
    repository: at,
    ...(commit === undefined ? {} : { commit: at + paths.commit + commit }),
    ...(run === undefined ? {} : { run: at + paths.run + run + ofAttempt }),
  };
}

/** Returns the name of a branch or tag without the place where git keeps it. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}
