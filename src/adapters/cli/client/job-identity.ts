import * as z from 'zod';
import { jsonIn } from '../../../formats/json-in.js';
import { ClientError, PassingFailure } from './client-error.js';
import { readText } from './read-text.js';

/** A CI job's proof of what it is, for servers that trust its issuer. */
export interface JobIdentity {
  /** Where it comes from, for people. */
  readonly source: string;
  /** Returns a token of OpenID Connect. @param audience address of the server that it is for */
  token(audience: string): Promise<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The identity that the environment of a job has: `LECTERN_ID_TOKEN`, which the configuration of a job on GitLab and others
 * fills in, else the one that GitHub gives to a job with the permission `id-token: write`.
 */
export function identityOfJob(env: Environment): JobIdentity | undefined {
  const given = env.LECTERN_ID_TOKEN?.trim();
  if (given) return { source: 'LECTERN_ID_TOKEN', token: async () => checked(given, 'LECTERN_ID_TOKEN') };
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = env;
  return address && secret ? githubIdentity(address, secret) : undefined;
}

/** Time for which a token of GitHub is sent again, in milliseconds. It is good for five minutes at least. */
const MAX_KEPT_MS = 60_000;
const MAX_BYTES = 64 * 1024;
const MAX_MS = 30_000;

const answer = z.object({ value: z.string().min(1) });

/** @see https://docs.github.com/en/actions/reference/security/oidc */
function githubIdentity(address: string, secret: string): JobIdentity {
  let kept: { readonly audience: string; readonly token: string; readonly until: number } | undefined;
  return {
    source: 'the identity of this GitHub job',
    token: async (audience) => {
      const now = performance.now();
      if (kept === undefined || kept.audience !== audience || kept.until < now) {
        kept = { audience, token: await askGithub(address, secret, audience), until: now + MAX_KEPT_MS };
      }
      return kept.token;
    },
  };
}

async function askGithub(address: string, secret: string, audience: string): Promise<string> {
  const url = new URL(address);
  url.searchParams.set('audience', audience);
  const deadline = AbortSignal.timeout(MAX_MS);
  const headers = { Authorization: `Bearer ${secret}`, Accept: 'application/json' };
  const response = await fetch(url, { headers, redirect: 'manual', signal: deadline }).catch((cause) => {
    throw new PassingFailure('GitHub cannot be asked for the identity of this job', {
      isInDoubt: false,
      cause,
    });
  });
  const text = await readText(response, { url: url.origin, maxBytes: MAX_BYTES, deadline });
  if (response.status >= 500) {
    throw new PassingFailure(`GitHub gives this job no identity now: status ${response.status}`, {
      isInDoubt: false,
    });
  }
  const read = answer.safeParse(jsonIn(text));
  if (response.ok && read.success) return checked(read.data.value, 'what GitHub gives this job');
  throw new ClientError('refused', `GitHub gives this job no identity: status ${response.status}`);
}

/** Anything else would be quoted by the error of a header. */
function checked(token: string, what: string): string {
  if (/^[\w.~+/=-]+$/.test(token)) return token;
  throw new ClientError('usage', `${what} is no token`);
}
