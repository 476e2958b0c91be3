import {
  type ProjectSettings,
  Refusal,
  serverActor,
  settingsText,
  type Version,
} from '../../domain/index.js';
import type { Change, Changes } from '../changes.js';
import { type Archives, NO_ARCHIVE_LIMITS } from '../ports/archives.js';
import type { Catalogues, DocReader } from '../ports/doc-store.js';

/** The outcome for one version, or for the settings of one project. */
export interface CopyStep {
  /** The version's directory name, or `settings of <project>`. */
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly outcome: 'copied' | 'already exists' | 'not copied';
  /** A remark, or the reason why it was not copied. */
  readonly why?: string;
}

/** A store that versions are copied to. */
export interface CopyTarget {
  readonly docs: Catalogues;
  readonly changes: Pick<Changes, 'stage' | 'publish' | 'changeSettings'>;
}

export interface CopyOptions {
  readonly archives: Pick<Archives, 'unpack' | 'index'>;
  /** Ends the copy between two versions, or while one is being read, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Actor whose name is recorded as the uploader where the source knows none. */
const COPY = serverActor('lectern copy');

const copying = (): Change => ({ actor: COPY, now: new Date(), reason: 'copy' });

/**
 * Use case: copies all settings of projects and all versions and previews of one store to another. Settings come first, so
 * that what is hidden never shows; versions in the order of their publication, so that the target's `latest` moves as the
 * source's did. Anything that the target has is left alone, so an interrupted copy can be run again. Nothing at the source is
 * changed.
 */
export async function* copyVersions(
  source: DocReader,
  target: CopyTarget,
  options: CopyOptions,
  now = new Date(),
): AsyncGenerator<CopyStep> {
  const versions = [...source.catalogue().at(now).all()].sort(
    (a, b) => a.record.publishedAt.getTime() - b.record.publishedAt.getTime(),
  );
  const settings = [...source.catalogue().settings];
  const total = settings.length + versions.length;
  for (const [index, [project, each]] of settings.entries()) {
    options.signal?.throwIfAborted();
    const result = await copySettings(target.changes, project, each);
    yield { name: `settings of ${project}`, done: index + 1, total, ...result };
  }
  for (const [index, version] of versions.entries()) {
    options.signal?.throwIfAborted();
    const result = await new VersionCopy(source, target, version, options).run();
    yield { name: version.directoryName, done: settings.length + index + 1, total, ...result };
  }
}

async function copySettings(
  changes: CopyTarget['changes'],
  project: string,
  settings: ProjectSettings,
): Promise<CopyResult> {
  let existing: ProjectSettings | undefined;
  try {
    await changes.changeSettings(copying(), project, (catalogue) => {
      existing = catalogue.settings.get(project);
      for (const alias of existing === undefined ? settings.aliases.keys() : []) {
        const refusal = catalogue.whyVersionHasName(project, alias);
        if (refusal !== undefined) throw refusal;
      }
      return existing ?? settings;
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { outcome: 'not copied', why: error.message };
  }
  if (existing === undefined) return { outcome: 'copied' };
  if (settingsText(existing) === settingsText(settings)) return { outcome: 'already exists' };
  return { outcome: 'not copied', why: 'different settings exist there' };
}

type CopyResult = Pick<CopyStep, 'outcome' | 'why'>;

/** The copy of one version. */
class VersionCopy {
  constructor(
    private readonly source: DocReader,
    private readonly target: CopyTarget,
    private readonly version: Version,
    private readonly options: CopyOptions,
  ) {}

  async run(): Promise<CopyResult> {
    const existing = this.target.docs.catalogue().version(this.version.directoryName);
    const sha256 = this.version.record.archive?.sha256;
    // The archive of a copied-in directory is known only once it is packed.
    if (existing !== undefined && sha256 !== undefined) return compared(existing, sha256);
    try {
      return await this.transfer(existing);
    } catch (error) {
      this.options.signal?.throwIfAborted();
      if (!(error instanceof Refusal)) throw error;
      return { outcome: 'not copied', why: this.reasonOf(error) };
    }
  }

  private async transfer(existing: Version | undefined): Promise<CopyResult> {
    const { version } = this;
    const { changes } = this.target;
    const { archives } = this.options;
    const { record, origin } = version;
    const staging = await changes.stage();
    try {
      const archive = await staging.receive(this.content(), Number.POSITIVE_INFINITY);
      if (existing !== undefined) return compared(existing, archive.sha256);
      if (record.archive !== undefined && record.archive.sha256 !== archive.sha256) {
        return {
          outcome: 'not copied',
          why: 'its archive at the source is not the uploaded one: the SHA-256 differs',
        };
      }
      const { facts, docinfoProblem } = await staging.prepare(archives, NO_ARCHIVE_LIMITS);
      const { docinfo: _, ...kept } = record;
      const copied = { token: COPY.name, ...kept, archive, ...facts };
      await changes.publish(copying(), staging, { id: version, record: copied }, { replace: false });
      const remarks = [
        ...(origin === 'copied' ? ['a copied-in directory; it becomes an upload there'] : []),
        ...(docinfoProblem === undefined ? [] : [`its docinfo was ignored: ${docinfoProblem}`]),
      ];
      return { outcome: 'copied', ...(remarks.length === 0 ? {} : { why: remarks.join('; ') }) };
    } finally {
      await staging.discard();
    }
  }

  private async *content(): AsyncGenerator<Uint8Array> {
    const file = await this.source.openArchive(this.version);
    for await (const chunk of file.stream()) {
      this.options.signal?.throwIfAborted();
      yield chunk;
    }
  }

  private reasonOf(refusal: Refusal): string {
    const { directoryName, revision } = this.version;
    if (refusal.code === 'version_not_found' || refusal.code === 'preview_not_found') {
      const isStillThere = this.source.catalogue().version(directoryName)?.revision === revision;
      return isStillThere
        ? 'its archive is missing at the source'
        : 'it was removed or replaced in the meantime';
    }
    if (refusal.code === 'version_exists' && refusal.facts.token !== undefined) {
      return 'it was published there in the meantime';
    }
    return refusal.message;
  }
}

function compared({ record, origin }: Version, sha256: string): CopyResult {
  if (record.archive?.sha256 === sha256) return { outcome: 'already exists' };
  const what = origin === 'copied' ? 'a copied-in directory' : 'another archive';
  return { outcome: 'not copied', why: `${what} already exists there under this name` };
}
