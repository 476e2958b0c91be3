import {
  SERVICE_ADDRESS,
  SOURCE_FACTS,
  type Source,
  type SourceFact,
  type SourceService,
  sourceFact,
} from './source.js';

/** Claims that have the facts about a source, by fact. */
interface ClaimNames extends Partial<Record<SourceFact, string>> {
  readonly repository: string;
  readonly attempt?: string;
  /** Claim that is `public` where everybody may see the repository. */
  readonly visibility?: string;
  /** Returns the service that an issuer with these claims stands for. */
  serviceOf(issuer: URL): SourceService | undefined;
}

/** Claims by service; the first one counts whose `repository` a token has. */
const SERVICES: readonly ClaimNames[] = [
  {
    // https://circleci.com/docs/guides/permissions-authentication/openid-connect-tokens/
    repository: 'oidc.circleci.com/vcs-origin',
    ref: 'oidc.circleci.com/vcs-ref',
    run: 'oidc.circleci.com/pipeline-id',
    // CircleCI builds repositories of other services: none of its addresses is made from these claims.
    serviceOf: () => undefined,
  },
  {
    // https://docs.gitlab.com/ci/secrets/id_token_authentication/#token-payload
    repository: 'project_path',
    commit: 'sha',
    ref: 'ref',
    run: 'job_id',
    visibility: 'project_visibility',
    serviceOf: (issuer) => serviceAt('gitlab', issuer.origin + issuer.pathname.replace(/\/$/, '')),
  },
  {
    // https://docs.github.com/en/actions/reference/security/oidc. Forgejo and Gitea Actions have the same claims.
    repository: 'repository',
    commit: 'sha',
    ref: 'ref',
    run: 'run_id',
    attempt: 'run_attempt',
    visibility: 'repository_visibility',
    serviceOf: (issuer) => {
      const address = githubAddress(issuer);
      return address === undefined ? undefined : serviceAt('github', address);
    },
  },
];

/**
 * Returns where a job's site is built from, as its issuer says. Claims of another form than `sourceFact` takes are left out:
 * whoever runs the job cannot change them.
 * @param issuer address, as whoever runs the server has written it
 * @param claim returns a verified claim as text
 * @returns undefined where the claims say nothing of it
 */
export function sourceOfJob(issuer: string, claim: (name: string) => string | undefined): Source | undefined {
  const names = SERVICES.find(({ repository }) => claim(repository) !== undefined);
  if (names === undefined || !URL.canParse(issuer)) return undefined;
  const facts = Object.fromEntries(
    ([...SOURCE_FACTS, 'attempt'] as const).flatMap((fact) => {
      const { [fact]: name } = names;
      const text = name === undefined ? undefined : claim(name);
      const known = text === undefined ? undefined : sourceFact(fact, text);
      return known === undefined ? [] : [[fact, known]];
    }),
  );
  if (Object.keys(facts).length === 0) return undefined;
  const service = names.serviceOf(new URL(issuer));
  const isPublic = names.visibility !== undefined && claim(names.visibility) === 'public';
  return {
    toldBy: 'issuer',
    ...facts,
    ...(service === undefined ? {} : { service }),
    ...(isPublic ? { isPublic } : {}),
  };
}

/** Address of the GitHub that an issuer stands for: github.com, a subdomain of ghe.com, or an Enterprise Server. */
function githubAddress({ protocol, host, origin, pathname }: URL): string | undefined {
  if (protocol !== 'https:') return undefined;
  // An enterprise may have a path of its own behind the host.
  if (host === 'token.actions.githubusercontent.com') return 'https://github.com';
  const [, subdomain] = /^token\.actions\.([a-z\d-]+)\.ghe\.com$/.exec(host) ?? [];
  if (subdomain !== undefined) return `https://${subdomain}.ghe.com`;
  return pathname.replace(/\/$/, '') === '/_services/token' ? origin : undefined;
}

function serviceAt(name: SourceService['name'], address: string): SourceService | undefined {
  return SERVICE_ADDRESS.test(address) ? { name, address } : undefined;
}
