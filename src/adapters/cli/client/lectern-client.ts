import { archiveNameOf, parseArchiveName, type VersionId } from '../../../domain/index.js';
import {
  type DeleteResult,
  deleteResult,
  type ProjectList,
  projectList,
  type TokenInfo,
  tokenInfo,
  type UploadResult,
  uploadResult,
  type VersionInfo,
  versionInfo,
} from './answers.js';
import { ClientError } from './client-error.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { type Download, saveTo } from './download.js';
import { formWith } from './multipart.js';

export interface Pushed {
  readonly message: string;
  /** The address of the site. */
  readonly url: string;
}

/** An archive to push. `read` is called once per attempt and gives the same bytes each time. */
export interface PushedArchive {
  /** Bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
  /** Lower-case hexadecimal. */
  sha256(): Promise<string>;
}

const PRODUCT = 'lectern';

/** A client of a server's API. Temporary failures are retried. */
export class LecternClient {
  private readonly connection: Connection;

  constructor(options: ConnectionOptions) {
    this.connection = new Connection(options);
  }

  get url(): string {
    return this.connection.url;
  }

  async version(): Promise<VersionInfo> {
    return this.connection.json(await this.connection.askAgain('/api/version'), versionInfo);
  }

  async projects(search?: string): Promise<ProjectList> {
    const query = search === undefined ? '' : `?search=${encodeURIComponent(search)}`;
    return this.connection.json(await this.connection.askAgain(`/api/projects${query}`), projectList);
  }

  async has({ project, label }: VersionId): Promise<boolean> {
    const { projects } = await this.projects(project);
    const versions = projects.find(({ directory_name }) => directory_name === project)?.versions ?? [];
    return versions.some(({ version }) => version === label);
  }

  siteUrl(directoryName: string): string {
    return `${this.url}/${directoryName}/`;
  }

  /**
   * Publishes an archive. If the response to an upload was lost, the client asks whether the server has the archive
   * before it retries.
   */
  async push(id: VersionId, archive: PushedArchive, onSent?: (bytes: number) => void): Promise<Pushed> {
    this.assertToken();
    return this.connection.persist(async (isInDoubt) => {
      if (isInDoubt && (await this.holds(id, archive))) return this.foundAfterAll(id);
      try {
        const { message, directory } = await this.upload(id, archive, onSent);
        return { message, url: this.siteUrl(directory) };
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
  async rehearse(id: VersionId): Promise<void> {
    this.assertToken();
    const { product } = await this.version();
    if (product !== PRODUCT) {
      throw new ClientError(
        'usage',
        `A dry run needs a Lectern server; ${this.url} says that it is ${product}`,
      );
    }
    try {
      await this.connection.persist(() => this.upload(id, EMPTY_ARCHIVE));
    } catch (error) {
      if (error instanceof ClientError && error.code === 'invalid_archive') return;
      throw error;
    }
    throw new ClientError('refused', 'The server accepted an empty archive, so it is no Lectern server');
  }

  /** Returns what the token may do; `unknown` for one that the server does not know, undefined when it does not tell. */
  async token(): Promise<TokenInfo | 'unknown' | undefined> {
    try {
      const response = await this.connection.askAgain('/api/token', { withToken: true });
      return await this.connection.json(response, tokenInfo);
    } catch (error) {
      if (!(error instanceof ClientError) || error.problem !== 'refused') throw error;
      return error.code === 'authentication_required' ? 'unknown' : undefined;
    }
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
    const path = `/api/download/${encodeURIComponent(project)}/${encodeURIComponent(version)}`;
    return this.connection.persist(async () => {
      const response = await this.connection.ask(path, { headers: { Accept: 'application/zip, */*;q=0.5' } });
      return saveTo(response, {
        file: target ?? nameOf(response),
        mayReplace: target !== undefined,
        onReceived,
      });
    });
  }

  async delete(project: string, version: string): Promise<DeleteResult> {
    this.assertToken();
    return this.connection.persist(async (isInDoubt) => {
      try {
        const path = `/api/delete/${encodeURIComponent(project)}/${encodeURIComponent(version)}`;
        const response = await this.connection.ask(path, { method: 'DELETE', withToken: true });
        return await this.connection.json(response, deleteResult);
      } catch (error) {
        const isGone = error instanceof ClientError && error.status === 404;
        if (isInDoubt && isGone) return { message: `${project} ${version} is deleted` };
        throw error;
      }
    });
  }

  private async upload(
    id: VersionId,
    archive: Pick<PushedArchive, 'size' | 'read'>,
    onSent?: (bytes: number) => void,
  ): Promise<UploadResult> {
    const file = { name: archiveNameOf(id.directoryName), size: archive.size, read: () => archive.read() };
    const { headers, body } = formWith(file, onSent);
    const response = await this.connection.ask('/api/upload', {
      method: 'POST',
      headers,
      body,
      withToken: true,
    });
    return this.connection.json(response, uploadResult);
  }

  /** Returns whether the server has this archive, by its hash: an uploaded archive's ETag is its SHA-256. */
  private async holds(id: VersionId, archive: PushedArchive): Promise<boolean> {
    if (!(await this.has(id))) return false;
    const path = `/api/download/${encodeURIComponent(id.project)}/${encodeURIComponent(id.label)}`;
    const response = await this.connection.askAgain(path, { method: 'HEAD' });
    return response.headers.get('etag') === `"${await archive.sha256()}"`;
  }

  private foundAfterAll({ project, label, directoryName }: VersionId): Pushed {
    const message = `${project} ${label} is published; the answer to the upload was lost, but the server has it`;
    return { message, url: this.siteUrl(directoryName) };
  }

  /** @throws ClientError without a token */
  assertToken(): void {
    if (this.connection.hasToken) return;
    throw new ClientError(
      'usage',
      'This needs a token: set LECTERN_TOKEN, or write it into the configuration file',
    );
  }
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
