import * as z from 'zod';
import { factsToTell, type ToldSource } from '../../../domain/index.js';
import { jsonIn } from '../../../formats/json.js';
import { readText } from './answers.js';
import { ClientError, PassingFailure } from './client-error.js';
import { type Guess, versionOfTag } from './guess.js';

/** Time for which a token of GitHub is sent again, in milliseconds. It is good for five minutes at least. */
const MAX_KEPT_MS = 60_000;
/** Bounds of GitHub's answer. */
const MAX_BYTES = 64 * 1024;
const MAX_MS = 30_000;

/** Name of the thing that a CI job publishes: the version that its tag names, the preview of its pull request, or nothing known. */
interface JobNames {
  readonly version?: Guess;
  readonly preview?: Guess;
}

/** A CI job's proof of what it is, for servers that trust its issuer. */
export interface JobIdentity {
  /** Where it comes from, for people. */
  readonly source: string;
  /** Returns a token of OpenID Connect. @param audience address of the server that it is for */
  token(audience: string): Promise<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads from the environment what a CI job publishes. A pull request comes before a tag: its preview replaces no version.
 * Names are returned as they are: callers check them.
 * @throws ClientError for a pull request without a number: it must not be published as a version
 */
export function namesOfJob(env: Environment): JobNames {
  const service = SERVICES.find(({ isOn }) => isOn(env));
  if (service === undefined) return {};
  const { name, hasMergeRequests } = service;
  const [prefix, requestWord] = hasMergeRequests ? ['mr', 'merge request'] : ['pr', 'pull request'];
  const request = service.request(env);
  if (request) {
    return { preview: { value: `${prefix}-${request}`, source: `the ${requestWord} of this ${name} job` } };
  }
  const tag = service.tag(env);
  return tag ? { version: { value: versionOfTag(tag), source: `the tag of this ${name} job` } } : {};
}

/**
 * Reads from the environment which commit a CI job builds. Facts that no server takes, such as a branch with a quote in its
 * name, are left out.
 */
export function sourceOfCiJob(env: Environment): ToldSource {
  const service = SERVICES.find(({ isOn }) => isOn(env));
  return service === undefined ? {} : factsToTell(service.source(env));
}

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

/** A CI service: how its jobs are told apart, by the environment variables that its documentation names. */
interface Service {
  readonly name: string;
  isOn(env: Environment): boolean;
  tag(env: Environment): string | undefined;
  /** Number of the pull or merge request. */
  request(env: Environment): string | undefined;
  /** Where the commit is from that the job builds. */
  source(env: Environment): Readonly<Record<keyof ToldSource, string | undefined>>;
  /** Whether pull requests are called so. */
  readonly hasMergeRequests?: true;
}

const SERVICES: readonly Service[] = [
  {
    // Forgejo and Gitea Actions set the same variables.
    name: 'GitHub',
    isOn: (env) => env.GITHUB_ACTIONS === 'true',
    tag: (env) => (env.GITHUB_REF_TYPE === 'tag' ? env.GITHUB_REF_NAME : undefined),
    request: githubRequest,
    source: (env) => ({
      repository: env.GITHUB_REPOSITORY,
      commit: env.GITHUB_SHA,
      ref: env.GITHUB_REF,
      run: env.GITHUB_RUN_ID,
    }),
  },
  {
    name: 'GitLab',
    isOn: (env) => env.GITLAB_CI === 'true',
    tag: (env) => env.CI_COMMIT_TAG,
    request: (env) => env.CI_MERGE_REQUEST_IID,
    source: (env) => ({
      repository: env.CI_PROJECT_PATH,
      commit: env.CI_COMMIT_SHA,
      ref: env.CI_COMMIT_REF_NAME,
      run: env.CI_JOB_ID,
    }),
    hasMergeRequests: true,
  },
  {
    name: 'Jenkins',
    // JENKINS_URL is only there when somebody has set it.
    isOn: (env) => Boolean(env.JENKINS_URL || env.JENKINS_HOME),
    tag: (env) => env.TAG_NAME,
    request: (env) => env.CHANGE_ID,
    source: (env) => ({
      repository: repositoryAt(env.GIT_URL),
      commit: env.GIT_COMMIT,
      ref: env.BRANCH_NAME ?? env.GIT_BRANCH,
      run: env.BUILD_NUMBER,
    }),
  },
  {
    name: 'Woodpecker',
    isOn: (env) => env.CI === 'woodpecker',
    tag: (env) => env.CI_COMMIT_TAG,
    request: (env) => env.CI_COMMIT_PULL_REQUEST,
    source: (env) => ({
      repository: env.CI_REPO,
      commit: env.CI_COMMIT_SHA,
      ref: env.CI_COMMIT_REF,
      run: env.CI_PIPELINE_NUMBER,
    }),
  },
];

/** Host and path of a repository, never the login in its address: `https://ci:secret@git.example.org/a/b.git`, `git@git.example.org:a/b.git`. */
function repositoryAt(address = ''): string | undefined {
  const [, host, path] = /^(?:[^@/:]+@)?([^@/:]+):(?!\/)(.+)$/.exec(address) ?? [];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const place = url?.hostname ? url.hostname + url.pathname : host && `${host}/${path}`;
  return place?.replace(/(?:\.git)?\/?$/, '');
}

function githubRequest({ GITHUB_REF = '', GITHUB_EVENT_NAME = '' }: Environment): string | undefined {
  const number = /^refs\/pull\/(\d+)\//.exec(GITHUB_REF)?.[1];
  // `pull_request_target` has the branch that is merged into, and so has a pull request once it is merged.
  if (number === undefined && GITHUB_EVENT_NAME.startsWith('pull_request')) {
    throw new ClientError(
      'usage',
      `this GitHub job is for a pull request (${GITHUB_EVENT_NAME}), but has no pull request number: add --preview pr-<number>`,
    );
  }
  return number;
}

const answer = z.object({ value: z.string().min(1) });

/** @see https://docs.github.com/en/actions/reference/security/oidc */
function githubIdentity(address: string, secret: string): JobIdentity {
  let kept: { readonly audience: string; readonly token: string; readonly until: number } | undefined;
  return {
    source: 'the ID token of this GitHub job',
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
    throw new PassingFailure('Cannot request an ID token from GitHub', {
      isInDoubt: false,
      cause,
    });
  });
  const text = await readText(response, { url: url.origin, maxBytes: MAX_BYTES, deadline });
  if (response.status >= 500) {
    throw new PassingFailure(`GitHub did not issue an ID token for this job: status ${response.status}`, {
      isInDoubt: false,
    });
  }
  const read = answer.safeParse(jsonIn(text));
  if (response.ok && read.success) return checked(read.data.value, 'the value from GitHub');
  throw new ClientError(
    'refused',
    `GitHub did not issue an ID token for this job: status ${response.status}`,
  );
}

/** Anything else would be quoted by the error of a header. */
function checked(token: string, what: string): string {
  if (/^[\w.~+/=-]+$/.test(token)) return token;
  throw new ClientError('usage', `${what} is not a token`);
}
