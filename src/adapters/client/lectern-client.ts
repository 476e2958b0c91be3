import { archiveNameOf, parseArchiveName, type VersionId } from '../../domain/index.js';
import {
  type DeleteResult,
  deleteResult,
  type ProjectList,
  projectList,
  type UploadResult,
  uploadResult,
  type VersionInfo,
  versionInfo,
} from './answers.js';
import { ClientError, PassingFailure } from './client-error.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { type Download, saveTo } from './download.js';
import { formWith } from './multipart.js';

export interface Pushed {
  readonly message: string;
  /** Where the site is. */
  readonly url: string;
}

/** An archive to push. `read` is called once for each attempt, and gives the same bytes every time. */
export interface PushedArchive {
  /** Bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
  /** Lower-case hexadecimal. */
  sha256(): Promise<string>;
}

const PRODUCT = 'lectern';

/** The seven endpoints of a server, as a program wants them; what may fail in passing is tried again. */
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
   * Publishes an archive. An upload whose answer was lost is never just sent again: the server is asked first
   * whether it has it.
   */
  async push(id: VersionId, archive: PushedArchive, onSent?: (bytes: number) => void): Promise<Pushed> {
    this.assertToken();
    let inDoubt = false;
    return this.connection.persist(async () => {
      if (inDoubt && (await this.holds(id, archive))) return this.foundAfterAll(id);
      try {
        const { message, directory } = await this.upload(id, archive, onSent);
        return { message, url: this.siteUrl(directory) };
      } catch (error) {
        // The server may still have been at work on the upload whose answer was lost.
        const isTaken = error instanceof ClientError && error.code === 'version_exists';
        if (inDoubt && isTaken && (await this.holds(id, archive))) return this.foundAfterAll(id);
        if (error instanceof PassingFailure && error.attempt === 'in-doubt') inDoubt = true;
        throw error;
      }
    });
  }

  /**
   * Asks the server everything that it decides before it looks at content, by uploading an archive of no bytes.
   * Every server of this kind refuses that, and says `invalid_archive` only when nothing else stood in the way.
   * @throws ClientError with whatever stands in the way
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
      await this.connection.persist(() => this.upload(id, NOTHING));
    } catch (error) {
      if (error instanceof ClientError && error.code === 'invalid_archive') return;
      throw error;
    }
    throw new ClientError('refused', 'The server took an archive of no bytes, so it is no Lectern server');
  }

  /** Whether the server knows the token; undefined without one, or when the server cannot be asked. */
  async knowsToken(): Promise<boolean | undefined> {
    if (!this.connection.hasToken) return undefined;
    try {
      // The token is looked at first; a body that is no form is refused without harm.
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '0' };
      await this.connection.askAgain('/api/upload', { method: 'POST', headers, withToken: true });
    } catch (error) {
      if (error instanceof ClientError && error.code === 'authentication_required') return false;
      if (error instanceof ClientError && error.code === 'unsupported_media_type') return true;
      if (error instanceof ClientError && error.problem === 'refused') return undefined;
      throw error;
    }
    return undefined;
  }

  /** @param target a file to write; without it, one of the server's name in the current directory */
  async download(
    project: string,
    version: string,
    { target, onReceived }: { readonly target?: string; readonly onReceived?: Download['onReceived'] } = {},
  ): Promise<{ readonly file: string; readonly bytes: number }> {
    const path = `/api/download/${encodeURIComponent(project)}/${encodeURIComponent(version)}`;
    return this.connection.persist(async () => {
      const response = await this.connection.ask(path, { headers: { Accept: 'application/zip, */*;q=0.5' } });
      return saveTo(response, {
        ...(target === undefined ? { name: nameOf(response) } : { target }),
        ...(onReceived === undefined ? {} : { onReceived }),
      });
    });
  }

  async delete(project: string, version: string): Promise<DeleteResult> {
    this.assertToken();
    let inDoubt = false;
    return this.connection.persist(async () => {
      try {
        const path = `/api/delete/${encodeURIComponent(project)}/${encodeURIComponent(version)}`;
        const response = await this.connection.ask(path, { method: 'DELETE', withToken: true });
        return await this.connection.json(response, deleteResult);
      } catch (error) {
        const isGone = error instanceof ClientError && error.status === 404;
        if (inDoubt && isGone) return { message: `${project} ${version} is deleted` };
        if (error instanceof PassingFailure && error.attempt === 'in-doubt') inDoubt = true;
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

  /** Whether the server has this very archive: the validator of an uploaded archive is its hash. */
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

  private assertToken(): void {
    if (this.connection.hasToken) return;
    throw new ClientError(
      'usage',
      'This needs a token: set LECTERN_TOKEN, or write it into the configuration file',
    );
  }
}

const NOTHING = {
  size: 0,
  async *read(): AsyncIterable<Uint8Array> {},
};

/** The file name that the server gives, provided that it is an archive's: it could name any file otherwise. */
function nameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  const name = /filename="?([^";]+)"?/i.exec(header)?.[1] ?? '';
  try {
    return archiveNameOf(parseArchiveName(name).directoryName);
  } catch {
    throw new ClientError(
      'refused',
      'The server gives the archive no name that can be used; say one with -o',
    );
  }
}
