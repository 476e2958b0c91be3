import { closestNames, quote, visible } from '../../../domain/index.js';
import { ClientError, LecternClient, type Project } from '../client/index.js';
import { type ClientSettings, readClientSettings } from '../options/client-settings.js';
import { packageVersion } from '../package-version.js';
import { EXIT } from '../start-error.js';
import { type Terminal, terminalOf } from '../terminal.js';

type Flags = Readonly<Record<string, unknown>>;

/** The call of a command that talks to a server. Each command returns its exit code, one of `EXIT`. */
export interface Call {
  readonly client: LecternClient;
  readonly settings: ClientSettings;
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
}

/** @throws StartError for settings that are missing or wrong */
export async function callOf(flags: Flags, env: NodeJS.ProcessEnv): Promise<Call> {
  const terminal = terminalOf(env);
  const warn = (sentence: string) => terminal.notes.write(`lectern: ${visible(sentence)}\n`);
  const settings = await readClientSettings(flags, env, warn);
  const userAgent = `lectern/${packageVersion()}`;
  const client = new LecternClient({
    ...settings,
    userAgent,
    report: warn,
    endsWhenRefused: terminal.isLive,
  });
  return { client, settings, flags, terminal, env };
}

/** Prints a response of the server as it came. */
export function writeJson(value: unknown, { terminal }: Pick<Call, 'terminal'>): number {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
  return EXIT.done;
}

/** Returns a project by its exact name. @throws ClientError with the closest names when there is none */
export async function projectNamed(client: LecternClient, name: string): Promise<Project> {
  const found = await client.project(name);
  if (found !== undefined) return found;
  const { projects } = await client.projects();
  throw noProject(name, projects);
}

/** Says that there is no project of this name, with the closest names. */
export function noProject(name: string, projects: readonly Project[]): ClientError {
  const sentence = `There is no project ${quote(name)}${didYouMean(name, namesOf(projects))}`;
  return new ClientError('refused', sentence, { status: 404, code: 'project_not_found' });
}

/** Adds the closest names to a refusal of `work` because there is no such project or version. */
export async function suggesting<T>(
  client: LecternClient,
  project: string,
  version: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClientError) || error.problem !== 'refused' || error.status !== 404) throw error;
    const { code, status } = error;
    const hint = await hintFor(client, project, version).catch(() => '');
    throw new ClientError('refused', error.message + hint, { code, status, cause: error });
  }
}

async function hintFor(client: LecternClient, project: string, version: string): Promise<string> {
  if (version.startsWith('~')) return `; 'lectern previews ${project}' lists its previews`;
  const { projects } = await client.projects();
  const found = projects.find(({ directory_name }) => directory_name === project);
  if (found === undefined) return didYouMean(project, namesOf(projects));
  const labels = found.versions.map((each) => each.version);
  return didYouMean(version, labels) || `; 'lectern projects ${project}' lists its versions`;
}

/** Returns a question that names what is closest, or nothing. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const closest = closestNames(wanted, names);
  return closest.length === 0 ? '' : `; did you mean ${closest.map(quote).join(' or ')}?`;
}

export function namesOf(projects: readonly Project[]): readonly string[] {
  return projects.map(({ directory_name }) => directory_name);
}
