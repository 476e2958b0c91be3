import {
  type Actor,
  type Catalogue,
  newestOfSeries,
  type ProjectDescription,
  type ProjectSettings,
  type RetentionRules,
  refuse,
  versionIdOf,
  whyNoSentence,
  withAlias,
  withDeprecated,
  withDescription,
  withHidden,
  withRetention,
} from '../../domain/index.js';
import type { ChangeReason, Changes } from '../changes.js';
import type { Catalogues } from '../ports/doc-store.js';

/**
 * Use case: changes the settings of a project. Each operation returns them as they are afterwards, and may be repeated.
 */
export class ManageProject {
  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue'>,
    private readonly changes: Pick<Changes, 'changeSettings'>,
  ) {}

  /**
   * Each operation asserts this first. A server does before it reads the body of a request.
   * @throws Refusal `project_not_allowed`, `manage_not_allowed`, `project_not_found`, in this order
   */
  assertMayChange({ policy }: Actor, project: string): void {
    const refusal = policy.whyNotManage(project);
    if (refusal !== undefined) throw refusal;
    assertKnown(this.docs.catalogue(), project);
  }

  /**
   * Hides a version, or shows it again.
   * @throws Refusal as `assertMayChange`, then `version_not_found`
   */
  hide(actor: Actor, project: string, label: string, isHidden: boolean): Promise<ProjectSettings> {
    return this.change(
      actor,
      'hidden',
      project,
      (settings, catalogue) => {
        if (!settings.hidden.has(label)) assertVersion(catalogue, project, label);
        return withHidden(settings, label, isHidden);
      },
      label,
    );
  }

  /**
   * Deprecates a version with a sentence, or takes that back when the sentence is undefined.
   * @throws Refusal as `hide`, then `invalid_settings` for a sentence that is none
   */
  deprecate(
    actor: Actor,
    project: string,
    label: string,
    sentence: string | undefined,
  ): Promise<ProjectSettings> {
    return this.change(
      actor,
      'deprecated',
      project,
      (settings, catalogue) => {
        if (!settings.deprecated.has(label)) assertVersion(catalogue, project, label);
        const why = sentence === undefined ? undefined : whyNoSentence(sentence);
        if (why !== undefined) throw refuse.invalidSettings(project, `message: ${why}`);
        return withDeprecated(settings, label, sentence);
      },
      label,
    );
  }

  /**
   * Sets an alias, or removes it when the target is undefined. The alias `latest` pins the latest version.
   * @param target a version's label, or a series such as `2.x`
   * @param mayKnowOf whether the actor may learn of a project
   * @throws Refusal as `hide`, then `invalid_settings` for a name that no alias can have, `name_taken`, and
   *   `version_not_found` when there is no version for the target
   */
  alias(
    actor: Actor,
    project: string,
    alias: string,
    target: string | undefined,
    mayKnowOf?: (project: string) => boolean,
  ): Promise<ProjectSettings> {
    return this.change(actor, 'aliases', project, (settings, catalogue) => {
      if (target === undefined) return withAlias(settings, alias, undefined);
      const isNew = !settings.aliases.has(alias);
      const refusal = isNew ? catalogue.whyNoAlias(project, alias, mayKnowOf) : undefined;
      if (refusal !== undefined) throw refusal;
      const versions = catalogue.project(project)?.listed ?? [];
      if (newestOfSeries(target, versions) === undefined) assertVersion(catalogue, project, target);
      return withAlias(settings, alias, target);
    });
  }

  /**
   * Sets the description of a project, all fields of it, in place of its docinfo; an empty one removes it.
   * @throws Refusal as `assertMayChange`, then `invalid_settings`
   */
  describe(actor: Actor, project: string, about: ProjectDescription): Promise<ProjectSettings> {
    return this.change(actor, 'about', project, (settings) => withDescription(settings, about));
  }

  /**
   * Sets the rules by which versions of a project are removed, or takes them back when they are undefined.
   * @param options.dryRun checks everything, and changes nothing
   * @throws Refusal as `assertMayChange`, then `delete_not_allowed`
   */
  async retain(
    actor: Actor,
    project: string,
    rules: RetentionRules | undefined,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<ProjectSettings> {
    this.assertMayChange(actor, project);
    const refusal = dryRun ? undefined : actor.policy.whyNotRetain(project, rules ?? {});
    if (refusal !== undefined) throw refusal;
    const decide = (settings: ProjectSettings) => (dryRun ? settings : withRetention(settings, rules));
    return this.change(actor, 'retention', project, decide);
  }

  private async change(
    actor: Actor,
    reason: ChangeReason,
    project: string,
    decide: (settings: ProjectSettings, catalogue: Catalogue) => ProjectSettings,
    label?: string,
  ): Promise<ProjectSettings> {
    this.assertMayChange(actor, project);
    await this.changes.changeSettings({ actor, now: new Date(), reason, label }, project, (catalogue) => {
      assertKnown(catalogue, project);
      return decide(catalogue.settingsOf(project), catalogue);
    });
    return this.docs.catalogue().settingsOf(project);
  }
}

/** A project without versions is known as long as it has settings: they can be removed. */
function assertKnown(catalogue: Catalogue, project: string): void {
  if (catalogue.project(project) !== undefined || catalogue.settings.has(project)) return;
  throw refuse.projectNotFound(project);
}

function assertVersion(catalogue: Catalogue, project: string, label: string): void {
  const id = versionIdOf(project, label);
  if (id === undefined || catalogue.version(id.directoryName) === undefined) {
    throw refuse.versionNotFound(project, label);
  }
}
