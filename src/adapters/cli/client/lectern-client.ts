import {
  archiveNameOf,
  type DescriptionBody,
  describeName,
  isPreview,
  type RetentionRules,
  retentionBody,
  type ToldSource,
  type VersionId,
} from '../../../domain/index.js';
import type { Answer } from './answers.js';
import { ClientError, type Warning } from './client-error.js';
import type { Question } from './connection.js';
import { announcedSha256 } from './download.js';
import { pathOf, ReadingClient } from './reading-client.js';
import { formWith } from './upload-form.js';

interface Published {
  readonly message: string;
  /** The address of the site. */
  readonly url: string;
}

export interface Pushed extends Published {
  readonly warnings: readonly Warning[];
  /** Undefined where no link is dead, unless the push was strict about links; and where the server does not check them. */
  readonly links?: Answer<'UploadResult'>['links'];
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
  /** Whether the server is to refuse a site with new dead links. */
  readonly strictLinks?: boolean | undefined;
  /** Where the site was built from, for the record; the claims of a job's token win. */
  readonly source?: ToldSource | undefined;
  readonly onSent?: (bytes: number) => void;
}

/** A client of a server's API: publishes, deletes, restores, and changes settings and tokens. */
export class LecternClient extends ReadingClient {
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
        const { message, directory, warnings = [], links } = await this.upload(id, archive, options);
        return { message, url: this.siteUrl(directory), warnings, links };
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
    if (product !== 'lectern') {
      throw new ClientError('usage', `A dry run needs a Lectern server; ${this.url} is ${product}`);
    }
    try {
      const empty = { size: 0, async *read() {} };
      await this.patiently(() => this.upload(id, empty, options));
    } catch (error) {
      if (error instanceof ClientError && error.code === 'invalid_archive') return;
      throw error;
    }
    throw new ClientError('refused', 'The server accepted an empty archive, so it is not a Lectern server');
  }

  /**
   * Makes a token with a part of the rights of the client's. Not sent again: after a lost answer nobody would know the
   * secret of the first one.
   */
  async makeToken(json: object): Promise<Answer<'NewTokenResult'>> {
    this.assertToken();
    return this.connection.askFor('/api/tokens', 'NewTokenResult', { method: 'POST', json });
  }

  /** @returns a sentence */
  async revokeToken(maker: string, name: string): Promise<string> {
    return (await this.deleteAt(pathOf('tokens', maker, name), `Revoked token ${maker}/${name}`)).message;
  }

  /** @param options.purge deletes for good */
  async delete(
    project: string,
    version: string,
    { purge = false }: { readonly purge?: boolean } = {},
  ): Promise<Answer<'DeleteResult'>> {
    const path = pathOf('delete', project, version) + (purge ? '?purge=true' : '');
    return this.deleteAt(path, `Deleted ${project} ${version}`);
  }

  async deletePreview(preview: VersionId): Promise<Answer<'DeleteResult'>> {
    const path = pathOf('previews', preview.project, preview.label);
    return this.deleteAt(path, `Deleted ${describeName(preview)}`);
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
    const path = pathOf('retention', project) + (dryRun ? '?dry_run=true' : '');
    const json = rules && retentionBody(rules);
    return this.changeSetting(path, json === undefined ? { method: 'DELETE' } : { method: 'PUT', json });
  }

  /**
   * Restores the publication that was removed last, or another one.
   * @param id its label is `~<name>` for a preview
   */
  async restore(
    id: Pick<VersionId, 'project' | 'label'>,
    options: { readonly replace?: boolean; readonly revision?: string | undefined } = {},
  ): Promise<Published> {
    this.assertToken();
    const { project, label } = id;
    // Named: after an answer that was lost, the publication that was removed last would be the one that this replaced.
    const isWanted = (each: { project: string; version: string }) =>
      each.project === project && each.version === label;
    const revision = options.revision ?? (await this.removed()).removed.find(isWanted)?.revision;
    const query = new URLSearchParams({
      ...(options.replace && { replace: 'true' }),
      ...(revision && { revision }),
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
        return { message: `Restored ${project} ${label}`, url: this.siteUrl(directory) };
      }
    });
  }

  private async upload(
    id: VersionId,
    archive: Pick<PushedArchive, 'size' | 'read'>,
    { expires, strict, strictLinks, source = {}, onSent }: PushOptions,
  ): Promise<Answer<'UploadResult'>> {
    const file = { name: archiveNameOf(id.directoryName), size: archive.size, read: () => archive.read() };
    const fields = {
      ...(expires === undefined ? {} : { expires }),
      ...(strict ? { strict: 'true' } : {}),
      ...(strictLinks ? { strict_links: 'true' } : {}),
      ...Object.fromEntries(Object.entries(source).map(([fact, text]) => [`source_${fact}`, text])),
    };
    const { headers, body } = formWith(file, fields, onSent);
    return this.connection.askFor('/api/upload', 'UploadResult', { method: 'POST', headers, body });
  }

  /** Returns whether the server has this archive, by its hash: an uploaded archive's ETag is its SHA-256. */
  private async holds(id: VersionId, archive: PushedArchive): Promise<boolean> {
    if (!(await this.has(id))) return false;
    const path = pathOf('download', id.project, id.label);
    const response = await this.patiently(() => this.connection.ask(path, { method: 'HEAD' }));
    return announcedSha256(response) === (await archive.sha256());
  }

  private foundAfterAll({ project, label, directoryName }: VersionId): Pushed {
    const message = `Published ${project} ${label}; the response to the upload was lost, but the server has it`;
    return { message, url: this.siteUrl(directoryName), warnings: [] };
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

  /** Sent again after a lost answer: it then finds the setting as it should be. */
  private async changeSetting(path: string, question: Question): Promise<Answer<'SettingsResult'>> {
    this.assertToken();
    return this.connection.askAgain(path, 'SettingsResult', { ...question, isList: true });
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
}
