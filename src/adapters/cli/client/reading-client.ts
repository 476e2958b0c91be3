import { nameInProject, type VersionId } from '../../../domain/index.js';
import type { Answer, Project } from './answers.js';
import { ClientError } from './client-error.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { announcedName, type Download, saveTo } from './download.js';

const LIST = { isList: true } as const;

/** A client that changes nothing on its server. Temporary failures are retried. */
export class ReadingClient {
  protected readonly connection: Connection;

  constructor(options: ConnectionOptions) {
    this.connection = new Connection(options);
  }

  get url(): string {
    return this.connection.url;
  }

  async version(): Promise<Answer<'VersionInfo'>> {
    return this.connection.askAgain('/api/version', 'VersionInfo');
  }

  async projects(search?: string): Promise<Answer<'ProjectList'>> {
    return this.connection.askAgain(listPath(search), 'ProjectList', LIST);
  }

  /**
   * Returns one project, or undefined when there is none of this name. A server without an address for one project is
   * asked for all of them.
   */
  async project(name: string): Promise<Project | undefined> {
    try {
      return await this.connection.askAgain(pathOf('projects', name), 'ProjectDetails', LIST);
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 404) throw error;
      if (error.code === 'project_not_found') return undefined;
      return (await this.projects()).projects.find(({ directory_name }) => directory_name === name);
    }
  }

  /**
   * Searches the pages of a server.
   * @param search values of the query parameters of `GET /api/search`
   */
  async search(
    search: { readonly q: string } & Readonly<Record<string, string>>,
  ): Promise<Answer<'FoundPages'>> {
    return this.connection.askAgain(`/api/search?${new URLSearchParams(search)}`, 'FoundPages', LIST);
  }

  /** Returns whether the server has a version. Waits for a busy server, as a push does. */
  async has({ project, label }: Pick<VersionId, 'project' | 'label'>): Promise<boolean> {
    const { projects } = await this.patiently(() =>
      this.connection.askFor(listPath(project), 'ProjectList', LIST),
    );
    const versions = projects.find(({ directory_name }) => directory_name === project)?.versions ?? [];
    return versions.some(({ version }) => version === label);
  }

  /**
   * Returns the label of the version to compare with: the newest stable one before it in the order of the server. For
   * what comes before all others, such as a branch, and for a preview: the latest one.
   */
  async versionBefore({ project: name, directoryName }: VersionId): Promise<string | undefined> {
    const { projects } = await this.projects(name);
    const project = projects.find(({ directory_name }) => directory_name === name);
    const versions = project?.versions ?? [];
    const position = versions.findIndex(({ directory_name }) => directory_name === directoryName);
    const before = versions.slice(0, Math.max(0, position));
    const stable = before.findLast((each) => each.stable !== false) ?? before.at(-1);
    if (stable !== undefined) return stable.version;
    const latest = versions.find(({ directory_name }) => directory_name === project?.latest_version_dir);
    return latest?.directory_name === directoryName ? undefined : latest?.version;
  }

  /** Counts the pages that changed since another version. Waits while the server compares for the first time. */
  async changes(id: VersionId, before: string): Promise<Answer<'Comparison'>> {
    return this.connection.askAgain(
      pathOf('compare', id.project, before, nameInProject(id)),
      'Comparison',
      LIST,
    );
  }

  changesUrl(id: VersionId, before: string): string {
    return `${this.url}/-/compare/${escaped(id.project, before, nameInProject(id))}`;
  }

  /** Returns the dead links of a version, the first ones of many. Waits while the server checks for the first time. */
  async deadLinks(project: string, version: string): Promise<Answer<'DeadLinks'>> {
    return this.connection.askAgain(pathOf('check', project, version), 'DeadLinks', LIST);
  }

  /** Returns the previews of a project, newest first. */
  async previews(project: string): Promise<Answer<'PreviewList'>> {
    const path = pathOf('previews', project);
    return this.connection.askAgain(path, 'PreviewList', LIST);
  }

  /** Returns how a project was read in the last days. */
  async usage(project: string, days: string): Promise<Answer<'Usage'>> {
    return this.connection.askAgain(usagePath(project, days), 'Usage', LIST);
  }

  /** Like `usage`, as CSV. */
  async usageCsv(project: string, days: string): Promise<string> {
    const path = `${usagePath(project, days)}&format=csv`;
    return this.connection.persist(() => this.connection.askForText(path, LIST));
  }

  siteUrl(directoryName: string): string {
    return `${this.url}/${directoryName}/`;
  }

  /** Returns what the token may do; `unknown` for one that the server does not know, undefined when it does not tell. */
  async token(): Promise<Answer<'TokenInfo'> | 'unknown' | undefined> {
    try {
      return await this.connection.askAgain('/api/token', 'TokenInfo');
    } catch (error) {
      if (!(error instanceof ClientError) || error.problem !== 'refused') throw error;
      return error.code === 'authentication_required' ? 'unknown' : undefined;
    }
  }

  /** Lists the tokens that the client's token has made. */
  async madeTokens(): Promise<Answer<'TokenList'>> {
    this.assertToken();
    return this.connection.askAgain('/api/tokens', 'TokenList', LIST);
  }

  /** Lists what can be restored. */
  async removed(): Promise<Answer<'RemovedList'>> {
    this.assertToken();
    return this.connection.askAgain('/api/removed', 'RemovedList', LIST);
  }

  /** @param target file to write; default: the server's name for the archive, in the current directory */
  async download(
    project: string,
    version: string,
    {
      target,
      onReceived,
    }: { readonly target?: string | undefined; readonly onReceived?: Download['onReceived'] } = {},
  ): Promise<{ readonly file: string; readonly bytes: number }> {
    const path = pathOf('download', project, version);
    return this.connection.persist(async () => {
      const response = await this.connection.ask(path, { headers: { Accept: 'application/zip, */*;q=0.5' } });
      return saveTo(response, {
        file: target ?? announcedName(response),
        mayReplace: target !== undefined,
        onReceived,
      });
    });
  }

  /** @throws ClientError without a token */
  assertToken(): void {
    if (this.connection.hasToken) return;
    throw new ClientError(
      'usage',
      'A token is required: set LECTERN_TOKEN, add it to the configuration file, or let the CI job request an ID token',
    );
  }

  /** Retries as a push does: a server that is busy or starts is waited for. */
  protected patiently<T>(attempt: (isInDoubt: boolean) => Promise<T>): Promise<T> {
    return this.connection.persist(attempt, { isPatient: true });
  }
}

/** The path of an operation of the API. */
export function pathOf(...parts: readonly string[]): string {
  return `/api/${escaped(...parts)}`;
}

function escaped(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

function listPath(search: string | undefined): string {
  return `/api/projects${search === undefined ? '' : `?search=${encodeURIComponent(search)}`}`;
}

function usagePath(project: string, days: string): string {
  return `${pathOf('projects', project, 'usage')}?days=${days}`;
}
