import type { DocStore } from '../../../application/index.js';
import { LATEST, type VersionId, versionIdOf, withAlias, withHidden } from '../../../domain/index.js';
import type { ForeignAlias } from './foreign-layouts.js';

export type SettingsTarget = Pick<DocStore, 'catalogue' | 'changeSettings'>;

/** The outcome for one alias. */
export interface AliasOutcome {
  readonly outcome: 'taken' | 'already there' | 'not taken';
  readonly why?: string;
}

/** Hides a version, or shows it again. It need not be there. @returns whether that changed anything */
export async function setHidden(
  docs: SettingsTarget,
  { project, label }: VersionId,
  isHidden: boolean,
): Promise<boolean> {
  let wasHidden = isHidden;
  await docs.changeSettings(project, (catalogue) => {
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
    docs,
    dryRun,
    isThere,
  }: { readonly docs: SettingsTarget; readonly dryRun: boolean; isThere(id: VersionId): boolean },
): Promise<AliasOutcome> {
  const id = versionIdOf(project, target);
  if (id === undefined || !isThere(id)) {
    return { outcome: 'not taken', why: `is a tag for ${target}, which is not taken` };
  }
  let existing: string | undefined;
  const decide: Parameters<DocStore['changeSettings']>[1] = (catalogue) => {
    const settings = catalogue.settingsOf(project);
    existing = settings.aliases.get(alias);
    if (existing !== undefined) return settings;
    const refusal = catalogue.whyNoAlias(project, alias);
    if (refusal !== undefined) throw refusal;
    return withAlias(settings, alias, target);
  };
  if (dryRun) decide(docs.catalogue());
  else await docs.changeSettings(project, decide);
  const isPin = alias === LATEST;
  if (existing === undefined) {
    return { outcome: 'taken', why: isPin ? `latest is pinned to ${target}` : `an alias of ${target}` };
  }
  if (existing === target) return { outcome: 'already there' };
  const there = isPin ? `latest is pinned to ${existing} here` : `is an alias of ${existing} here`;
  const remedy = isPin ? `lectern pin ${project} ${target}` : `lectern alias ${project} ${alias} ${target}`;
  return { outcome: 'not taken', why: `${there}, and left alone; ${remedy} changes that` };
}
