import type { Catalogues, Change, Changes, SettingsDecision } from '../../../application/index.js';
import {
  LATEST,
  serverActor,
  type VersionId,
  versionIdOf,
  withAlias,
  withHidden,
} from '../../../domain/index.js';
import type { ForeignAlias } from './foreign-layouts.js';

/** Adds versions, and replaces none. Its name is recorded as the uploader. */
export const IMPORT = serverActor('lectern import', {});

/** A store whose settings an import changes. */
export interface SettingsTarget {
  readonly docs: Catalogues;
  readonly changes: Pick<Changes, 'changeSettings'>;
}

/** The outcome for one alias. */
export interface AliasOutcome {
  readonly outcome: 'taken' | 'already there' | 'not taken';
  readonly why?: string;
}

/** Hides a version, or shows it again. It need not be there. @returns whether that changed anything */
export async function setHidden(
  changes: SettingsTarget['changes'],
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
export async function takeAlias(
  { project, alias, target }: ForeignAlias,
  {
    target: { docs, changes },
    dryRun,
    isThere,
  }: { readonly target: SettingsTarget; readonly dryRun: boolean; isThere(id: VersionId): boolean },
): Promise<AliasOutcome> {
  const id = versionIdOf(project, target);
  if (id === undefined || !isThere(id)) {
    return { outcome: 'not taken', why: `is a tag for ${target}, which is not taken` };
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
    return { outcome: 'taken', why: isPin ? `latest is pinned to ${target}` : `an alias of ${target}` };
  }
  if (existing === target) return { outcome: 'already there' };
  const there = isPin ? `latest is pinned to ${existing} here` : `is an alias of ${existing} here`;
  const remedy = isPin ? `lectern pin ${project} ${target}` : `lectern alias ${project} ${alias} ${target}`;
  return { outcome: 'not taken', why: `${there}, and left alone; ${remedy} changes that` };
}

function importing(reason: 'hidden' | 'aliases'): Change {
  return { actor: IMPORT, now: new Date(), reason };
}
