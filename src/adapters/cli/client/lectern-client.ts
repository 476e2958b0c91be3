import {
  archiveNameOf,
  type DescriptionBody,
  describeName,
  isPreview,
  nameInProject,
  parseArchiveName,
  type RetentionRules,
  retentionBody,
  type VersionId,
} from '../../../domain/index.js';
import type { Answer, Project } from './answers.js';
import { ClientError, type Warning } from './client-error.js';
import { Connection, type ConnectionOptions, type Question } from './connection.js';
import { announcedSha256, type Download, saveTo } from './download.js';
import { formWith } from './upload-form.js';

export interface Published {
  readonly message: string;
  /** The address of the site. */
  readonly url: string;
}

export interface Pushed extends Published {
  readonly warnings: readonly Warning[];
}

/** An archive to push. `read` is called once per attempt and gives the same bytes each time. */
export interface PushedArchive {
  /** Bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
  /** Lower-case hexadecimal. */
  sha256(): Promise<string>;
}

/** Settings that have an address for each version or alias. */
export type SettingName = 'hidden' | 'deprecated' | 'aliases';

export interface PushOptions {
  /** Lifetime of a preview, such as `14d`. Default: the server's. */
  readonly expires?: string | undefined;
  /** Whether the server is to refuse a site with warnings. */
  readonly strict?: boolean | undefined;
  readonly onSent?: (bytes: number) => void;
}

const PRODUCT = 'lectern';
const LIST = { isList: true } as const;

/** A client of a server's API. Temporary failures are retried. */
export class LecternClient {
  private readonly connection: Connection;

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

  /** Returns whether the server has a preview of this name. */
  private async hasPreview(project: string, name: string): Promise<boolean> {
    try {
      return (await this.previews(project)).previews.some((each) => each.name === name);
    } catch (error) {
      if (error instanceof ClientError && error.status === 404) return false;
      throw error;
    }
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

  /**
   * Publishes an archive. If the response to an upload was lost, the client asks whether the server has the archive
   * before it retries. A preview is sent again: that changes nothing but its end. A server that answers 503 is waited for, up to
   * ten minutes.
   */
  async push(id: VersionId, archive: PushedArchive, options: PushOptions = {}): Promise<Pushed> {
    this.assertToken();
    return this.patiently(async (isRepeated) => {
      const isInDoubt = isRepeated && !isPreview(id);
      if (isInDoubt && (await this.holds(id, archive))) return this.foundAfterAll(id);
      try {
        const { message, directory, warnings = [] } = await this.upload(id, archive, options);
        return { message, url: this.siteUrl(directory), warnings };
      } catch (error) {
        // The server may have finished the earlier upload only after `holds` was asked.
        const isTaken = error instanceof ClientError && error.code === 'version_exists';
        if (isInDoubt && isTaken && (await this.holds(id, archive))) return this.foundAfterAll(id);
        throw error;
      }
    });
  }

  /**
   * Runs all checks that the server makes before it reads content, by uploading an empty archive. Lectern refuses
   * that with `invalid_archive` if all other checks passed.
   * @throws ClientError for any other refusal
   */
  async rehearse(id: VersionId, options: Pick<PushOptions, 'expires'> = {}): Promise<void> {
    this.assertToken();
    const { product } = await this.version();
    if (product !== PRODUCT) {
      throw new ClientError(
        'usage',
        `A dry run needs a Lectern server; ${this.url} says that it is ${product}`,
      );
    }
    try {
      await this.patiently(() => this.upload(id, EMPTY_ARCHIVE, options));
    } catch (error) {
      if (error instanceof ClientError && error.code === 'invalid_archive') return;
      throw error;
    }
    throw new ClientError('refused', 'The server accepted an empty archive, so it is no Lectern server');
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

  /**
   * Makes a token with a part of the rights of the client's. Not sent again: after a lost answer nobody would know the
   * secret of the first one.
   */
  async makeToken(json: object): Promise<Answer<'NewTokenResult'>> {
    this.assertToken();
    return this.connection.askFor('/api/tokens', 'NewTokenResult', { method: 'POST', json });
  }

  /** Lists the tokens that the client's token has made. */
  async madeTokens(): Promise<Answer<'TokenList'>> {
    this.assertToken();
    return this.connection.askAgain('/api/tokens', 'TokenList', LIST);
  }

  /** @returns a sentence */
  async revokeToken(maker: string, name: string): Promise<string> {
    return (await this.deleteAt(pathOf('tokens', maker, name), `${maker}/${name} is revoked`)).message;
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
        file: target ?? nameOf(response),
        mayReplace: target !== undefined,
        onReceived,
      });
    });
  }

  /** @param options.purge deletes for good */
  async delete(
    project: string,
    version: string,
    { purge = false }: { readonly purge?: boolean } = {},
  ): Promise<Answer<'DeleteResult'>> {
    const query = purge ? '?purge=true' : '';
    const path = `${pathOf('delete', project, version)}${query}`;
    return this.deleteAt(path, `${project} ${version} is deleted`);
  }

  async deletePreview(preview: VersionId): Promise<Answer<'DeleteResult'>> {
    const { project, label } = preview;
    const path = pathOf('previews', project, label);
    return this.deleteAt(path, `${describeName(preview)} is deleted`);
  }

  /** @param message where the answer was lost */
  private async deleteAt(path: string, message: string): Promise<Answer<'DeleteResult'>> {
    this.assertToken();
    return this.connection.persist(async (isInDoubt) => {
      try {
        return await this.connection.askFor(path, 'DeleteResult', { method: 'DELETE' });
      } catch (error) {
        const isGone = error instanceof ClientError && error.status === 404;
        if (isInDoubt && isGone) return { message };
        throw error;
      }
    });
  }

  /** Sets a setting of a project, such as `hidden` of a version. @returns a sentence of the server */
  async set(setting: SettingName, project: string, name: string, json?: object): Promise<string> {
    const path = pathOf(setting, project, name);
    return (await this.changeSetting(path, { method: 'PUT', ...(json === undefined ? {} : { json }) }))
      .message;
  }

  /** Takes a setting of a project back. @returns a sentence of the server */
  async unset(setting: SettingName, project: string, name: string): Promise<string> {
    return (await this.changeSetting(pathOf(setting, project, name), { method: 'DELETE' })).message;
  }

  /** Says what a project is, in place of its docinfo: the whole description. @returns a sentence of the server */
  async describe(project: string, json: DescriptionBody): Promise<string> {
    return (await this.changeSetting(pathOf('projects', project), { method: 'PUT', json })).message;
  }

  /**
   * Sets the rules by which versions of a project are removed, or takes them back when they are undefined.
   * @param options.dryRun changes nothing: the answer says what would be removed
   */
  async setRetention(
    project: string,
    rules: RetentionRules | undefined,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<Answer<'SettingsResult'>> {
    const path = `${pathOf('retention', project)}${dryRun ? '?dry_run=true' : ''}`;
    return this.changeSetting(
      path,
      rules === undefined ? { method: 'DELETE' } : { method: 'PUT', json: retentionBody(rules) },
    );
  }

  /** Sent again after a lost answer: it then finds the setting as it should be. */
  private async changeSetting(path: string, question: Question): Promise<Answer<'SettingsResult'>> {
    this.assertToken();
    return this.connection.askAgain(path, 'SettingsResult', { ...question, ...LIST });
  }

  /** Lists what can be restored. */
  async removed(): Promise<Answer<'RemovedList'>> {
    this.assertToken();
    return this.connection.askAgain('/api/removed', 'RemovedList', LIST);
  }

  /**
   * Restores the publication that was removed last, or another one.
   * @param id its label is `~<name>` for a preview
   */
  async restore(
    id: Pick<VersionId, 'project' | 'label'>,
    {
      replace = false,
      revision,
    }: { readonly replace?: boolean; readonly revision?: string | undefined } = {},
  ): Promise<Published> {
    this.assertToken();
    const { project, label } = id;
    // Named: after an answer that was lost, the publication that was removed last would be the one that this replaced.
    const wanted = revision ?? (await this.lastRemoved(id));
    const query = new URLSearchParams({
      ...(replace && { replace: 'true' }),
      ...(wanted && { revision: wanted }),
    });
    const path = pathOf('restore', project, label);
    return this.connection.persist(async (isInDoubt) => {
      try {
        const { message, directory } = await this.connection.askFor(`${path}?${query}`, 'RestoreResult', {
          method: 'POST',
        });
        return { message, url: this.siteUrl(directory) };
      } catch (error) {
        // Nothing is kept any more: the attempt whose answer was lost has restored it.
        const isDone = isInDoubt && error instanceof ClientError && error.code === 'version_not_found';
        const preview = label.startsWith('~') ? label.slice(1) : undefined;
        const isThere = () => (preview === undefined ? this.has(id) : this.hasPreview(project, preview));
        if (!isDone || !(await isThere())) throw error;
        const directory = preview === undefined ? `${project}-${label}` : project + label;
        return { message: `${project} ${label} is back`, url: this.siteUrl(directory) };
      }
    });
  }

  private async lastRemoved({
    project,
    label,
  }: Pick<VersionId, 'project' | 'label'>): Promise<string | undefined> {
    const { removed } = await this.removed();
    return removed.find((each) => each.project === project && each.version === label)?.revision;
  }

  private async upload(
    id: VersionId,
    archive: Pick<PushedArchive, 'size' | 'read'>,
    { expires, strict, onSent }: PushOptions,
  ): Promise<Answer<'UploadResult'>> {
    const file = { name: archiveNameOf(id.directoryName), size: archive.size, read: () => archive.read() };
    const fields = { ...(expires === undefined ? {} : { expires }), ...(strict ? { strict: 'true' } : {}) };
    const { headers, body } = formWith(file, fields, onSent);
    return this.connection.askFor('/api/upload', 'UploadResult', {
      method: 'POST',
      headers,
      body,
    });
  }

  /** Returns whether the server has this archive, by its hash: an uploaded archive's ETag is its SHA-256. */
  private async holds(id: VersionId, archive: PushedArchive): Promise<boolean> {
    if (!(await this.has(id))) return false;
    const path = pathOf('download', id.project, id.label);
    const response = await this.patiently(() => this.connection.ask(path, { method: 'HEAD' }));
    return announcedSha256(response) === (await archive.sha256());
  }

  /** Retries as a push does: a server that is busy or starts is waited for. */
  private patiently<T>(attempt: (isInDoubt: boolean) => Promise<T>): Promise<T> {
    return this.connection.persist(attempt, { isPatient: true });
  }

  private foundAfterAll({ project, label, directoryName }: VersionId): Pushed {
    const message = `${project} ${label} is published; the answer to the upload was lost, but the server has it`;
    return { message, url: this.siteUrl(directoryName), warnings: [] };
  }

  /** @throws ClientError without a token */
  assertToken(): void {
    if (this.connection.hasToken) return;
    throw new ClientError(
      'usage',
      'This needs a token: set LECTERN_TOKEN, or write it into the configuration file, or give the CI job an identity',
    );
  }
}

/** The path of an operation of the API. */
function pathOf(...parts: readonly string[]): string {
  return `/api/${escaped(...parts)}`;
}

function listPath(search: string | undefined): string {
  return `/api/projects${search === undefined ? '' : `?search=${encodeURIComponent(search)}`}`;
}

function escaped(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

const EMPTY_ARCHIVE = {
  size: 0,
  async *read(): AsyncIterable<Uint8Array> {},
};

/** Returns the server's name for the archive. Other names are refused, as they could overwrite any file. */
function nameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  const name = /filename="?([^";]+)"?/i.exec(header)?.[1] ?? '';
  try {
    return archiveNameOf(parseArchiveName(name).directoryName);
  } catch {
    throw new ClientError(
      'refused',
      'The server sends no usable file name for the archive: name a file with -o',
    );
  }
}

function usagePath(project: string, days: string): string {
  return `/api/projects/${encodeURIComponent(project)}/usage?days=${days}`;
}
