import type {
  Catalogues,
  Change,
  Changes,
  SettingsDecision,
  UploadVersion,
} from '../../../application/index.js';
import {
  archiveNameOf,
  LATEST,
  Refusal,
  serverActor,
  type VersionId,
  versionIdOf,
  withAlias,
  withHidden,
} from '../../../domain/index.js';
import { hasErrno } from '../../../node/system-errors.js';
import { ClientError } from './client-error.js';
import { type ForeignAlias, type ForeignVersion, LAYOUTS, type Layout } from './foreign-layouts.js';
import { packSite } from './packing/pack-site.js';
import { describeLinks } from './packing/site-directory.js';

/** Error codes of files that cannot be read. */
const UNREADABLE = ['EACCES', 'EPERM', 'ENOENT', 'EIO'];
/** Actor that adds versions, and replaces none. The name is recorded as the uploader. */
const IMPORT = serverActor('lectern import', {});

/** The outcome for one version, one alias, or for something that is neither. */
export interface ImportStep {
  /** A version's directory name, or a path relative to the imported directory. */
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly outcome: 'imported' | 'already exists' | 'note' | 'not imported';
  readonly why?: string;
}

/** A store that takes versions and settings. */
interface ImportTarget {
  readonly upload: Pick<UploadVersion, 'receive' | 'publish'>;
  readonly docs: Catalogues;
  readonly changes: Pick<Changes, 'changeSettings'>;
}

interface ImportOptions {
  readonly target: ImportTarget;
  /** Whether nothing is written. */
  readonly dryRun: boolean;
}

type Outcome = Pick<ImportStep, 'outcome' | 'why'>;

/**
 * Imports the versions of another server's directory, each as an archive that is uploaded, then their aliases. Nothing that
 * exists is replaced, so an interrupted import can be run again.
 * @throws ClientError when the directory cannot be read
 */
export async function* importSites(
  layout: Layout,
  root: string,
  options: ImportOptions,
): AsyncIterable<ImportStep> {
  const { versions, aliases, remarks } = await LAYOUTS[layout](root);
  const total = versions.length + aliases.length;
  for (const { path, why, isLoss } of remarks) {
    yield { name: path, why, done: 0, total, outcome: isLoss ? 'not imported' : 'note' };
  }
  let done = 0;
  const taken = new Set<string>();
  for (const version of versions) {
    done += 1;
    const { directoryName } = version.id;
    const result = await refusing(() => outcomeOf(version, options));
    if (result.outcome !== 'not imported') taken.add(directoryName);
    yield { name: directoryName, done, total, ...result };
  }
  const isThere = ({ directoryName }: VersionId) => taken.has(directoryName);
  for (const alias of aliases) {
    done += 1;
    const result = await refusing(() => takeAlias(alias, { ...options, isThere }));
    yield { name: alias.path, done, total, ...result };
  }
}

async function refusing(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    const isAboutThisOne =
      error instanceof Refusal || error instanceof ClientError || hasErrno(error, UNREADABLE);
    if (!isAboutThisOne || (error as Refusal).code === 'insufficient_storage') throw error;
    return { outcome: 'not imported', why: (error as Error).message };
  }
}

async function outcomeOf(version: ForeignVersion, { target, dryRun }: ImportOptions): Promise<Outcome> {
  const { id, isHidden = false } = version;
  const catalogue = target.docs.catalogue();
  if (catalogue.version(id.directoryName) !== undefined) {
    const isShown = isHidden && !catalogue.settingsOf(id.project).hidden.has(id.label);
    const remark = `it is hidden at the source, but not here; to hide it: lectern hide ${id.project} ${id.label}`;
    return { outcome: 'already exists', ...(isShown ? { why: remark } : {}) };
  }
  const leftOut = await take(version, dryRun ? undefined : target);
  const remarks = [
    ...(isHidden ? ['hidden'] : []),
    ...(leftOut.length === 0 ? [] : [`skipped: ${leftOut.join('; ')}`]),
  ];
  return { outcome: 'imported', ...(remarks.length === 0 ? {} : { why: remarks.join('; ') }) };
}

async function take(version: ForeignVersion, target: ImportTarget | undefined): Promise<readonly string[]> {
  const { archive, leftOut, skippedLinks } = await packSite(version.directory, version);
  try {
    if (target !== undefined) await publish(version, archive.read(), target);
    return skippedLinks.length === 0 ? leftOut : [...leftOut, describeLinks(skippedLinks)];
  } finally {
    await archive.close();
  }
}

async function publish(
  { id, publishedAt, isHidden = false }: ForeignVersion,
  content: AsyncIterable<Uint8Array>,
  { upload, changes }: ImportTarget,
): Promise<void> {
  // Before it is published, so that it never shows.
  const isNewlyHidden = isHidden && (await setHidden(changes, id, true));
  try {
    const received = await upload.receive(IMPORT, archiveNameOf(id.directoryName), content);
    await upload.publish(received, { publishedAt });
  } catch (error) {
    if (isNewlyHidden) await setHidden(changes, id, false);
    throw error;
  }
}

/** Hides a version, or shows it again. It need not be there. @returns whether that changed anything */
async function setHidden(
  changes: ImportTarget['changes'],
  { project, label }: VersionId,
  isHidden: boolean,
): Promise<boolean> {
  let wasHidden = isHidden;
  await changes.changeSettings(importing('hidden'), project, (catalogue) => {
    const settings = catalogue.settingsOf(project);
    wasHidden = settings.hidden.has(label);
    return withHidden(settings, label, isHidden);
  });
  return wasHidden !== isHidden;
}

/**
 * Takes over another name of a version. An alias that is there is left alone.
 * @param isThere tells whether a version was taken, or was there before
 * @throws Refusal for a name that no alias can have, and when a version or a project has its address
 */
async function takeAlias(
  { project, alias, target }: ForeignAlias,
  {
    target: { docs, changes },
    dryRun,
    isThere,
  }: { readonly target: ImportTarget; readonly dryRun: boolean; isThere(id: VersionId): boolean },
): Promise<Outcome> {
  const id = versionIdOf(project, target);
  if (id === undefined || !isThere(id)) {
    return { outcome: 'not imported', why: `is a tag for ${target}, which is not imported` };
  }
  let existing: string | undefined;
  const decide: SettingsDecision = (catalogue) => {
    const settings = catalogue.settingsOf(project);
    existing = settings.aliases.get(alias);
    if (existing !== undefined) return settings;
    const refusal = catalogue.whyNoAlias(project, alias);
    if (refusal !== undefined) throw refusal;
    return withAlias(settings, alias, target);
  };
  if (dryRun) decide(docs.catalogue());
  else await changes.changeSettings(importing('aliases'), project, decide);
  const isPin = alias === LATEST;
  if (existing === undefined) {
    return { outcome: 'imported', why: isPin ? `latest is pinned to ${target}` : `an alias of ${target}` };
  }
  if (existing === target) return { outcome: 'already exists' };
  const there = isPin ? `latest is pinned to ${existing} here` : `is an alias of ${existing} here`;
  const remedy = isPin ? `lectern pin ${project} ${target}` : `lectern alias ${project} ${alias} ${target}`;
  return { outcome: 'not imported', why: `${there}, and was not changed; to change it: ${remedy}` };
}

function importing(reason: 'hidden' | 'aliases'): Change {
  return { actor: IMPORT, now: new Date(), reason };
}
