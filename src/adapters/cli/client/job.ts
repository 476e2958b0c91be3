import { ClientError } from './client-error.js';
import { type Guess, versionOfTag } from './guess.js';

/** What a CI job publishes: the version that its tag names, the preview of its pull request, or nothing known. */
export interface JobNames {
  readonly version?: Guess;
  readonly preview?: Guess;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A CI service: how its jobs are told apart, by the environment variables that its documentation names. */
interface Service {
  readonly name: string;
  isOn(env: Environment): boolean;
  tag(env: Environment): string | undefined;
  /** Number of the pull or merge request. */
  request(env: Environment): string | undefined;
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
  },
  {
    name: 'GitLab',
    isOn: (env) => env.GITLAB_CI === 'true',
    tag: (env) => env.CI_COMMIT_TAG,
    request: (env) => env.CI_MERGE_REQUEST_IID,
    hasMergeRequests: true,
  },
  {
    name: 'Jenkins',
    // JENKINS_URL is only there when somebody has set it.
    isOn: (env) => Boolean(env.JENKINS_URL || env.JENKINS_HOME),
    tag: (env) => env.TAG_NAME,
    request: (env) => env.CHANGE_ID,
  },
  {
    name: 'Woodpecker',
    isOn: (env) => env.CI === 'woodpecker',
    tag: (env) => env.CI_COMMIT_TAG,
    request: (env) => env.CI_COMMIT_PULL_REQUEST,
  },
];

/**
 * Reads from the environment what a CI job publishes. A pull request comes before a tag: its preview replaces no version.
 * Names are returned as they are: whoever uses them checks them.
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

function githubRequest({ GITHUB_REF = '', GITHUB_EVENT_NAME = '' }: Environment): string | undefined {
  const number = /^refs\/pull\/(\d+)\//.exec(GITHUB_REF)?.[1];
  // `pull_request_target` has the branch that is merged into, and so has a pull request once it is merged.
  if (number === undefined && GITHUB_EVENT_NAME.startsWith('pull_request')) {
    throw new ClientError(
      'usage',
      `this GitHub job is for a pull request (${GITHUB_EVENT_NAME}), but does not say its number: add --preview pr-<number>`,
    );
  }
  return number;
}
