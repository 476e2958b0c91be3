import {
  type Actor,
  nameInProject,
  type ProjectSettings,
  Refusal,
  type RetentionRule,
  refuse,
  type Version,
  type VersionId,
} from '../domain/index.js';
import { Audit } from './audit/audit.js';
import { differenceOfSettings, differenceOfTokens, factsOfVersion } from './audit/audit-facts.js';
import type { AuditAction, AuditEntry } from './ports/audit-log.js';
import type { Catalogues, DocWriter } from './ports/doc-store.js';

/** Reason for a change: the request, the field of the settings, or the rule by which the server decided. */
export type ChangeReason =
  | ('upload' | 'delete' | 'restore' | 'copy' | 'expired')
  | ('token_made' | 'token_revoked' | 'token_used')
  | keyof ProjectSettings
  | RetentionRule;

/** A decision of a use case to change something. */
export interface Change {
  readonly actor: Actor;
  readonly now: Date;
  readonly reason: ChangeReason;
  /** Label of the version that settings are about, if they are about one. */
  readonly label?: string | undefined;
}

/** A change as it is recorded. */
type Recorded = Omit<AuditEntry, 'time' | 'result' | 'actor'>;

const ACTION_OF_SETTING: Readonly<Record<keyof ProjectSettings, AuditAction>> = {
  aliases: 'alias',
  hidden: 'hide',
  deprecated: 'deprecate',
  retention: 'retain',
  about: 'describe',
};

/**
 * The one way to change a store: every change that a use case of this program decides goes through `make`, while
 * `DocStore.subscribe` tells of those by other processes and nodes as well. Each method is that of `DocStore`; where changes are
 * recorded, it also throws Refusal `unavailable`: before anything is changed, when that cannot be recorded.
 */
export class Changes {
  private count = 0;

  constructor(
    private readonly docs: DocWriter & Pick<Catalogues, 'subscribe'>,
    private readonly audit: Pick<Audit, 'isOn' | 'assertWritable' | 'made'> = new Audit(),
  ) {}

  /** Number of changes that were made or tried. */
  get made(): number {
    return this.count;
  }

  /** Nothing is changed before `publish`. */
  async stage() {
    await this.audit.assertWritable();
    return this.docs.stage();
  }

  publish(change: Change, ...call: Parameters<DocWriter['publish']>) {
    const watched = this.watched(call[1].id);
    return this.make(
      change,
      () => this.docs.publish(...call),
      ({ version, replaced }) => ({
        ...watched.facts(version),
        action: replaced ? 'replace' : 'publish',
        after: factsOfVersion(version),
      }),
      watched,
    );
  }

  remove(change: Change, ...call: Parameters<DocWriter['remove']>) {
    const [id, options] = call;
    const watched = this.watched(id);
    const isRule = change.reason !== 'delete';
    return this.make(
      change,
      () => this.docs.remove(...call),
      () => ({
        ...watched.facts(),
        action: options?.purge === true ? 'purge' : 'remove',
        ...(isRule ? { reason: change.reason } : {}),
      }),
      watched,
    );
  }

  restore(change: Change, ...call: Parameters<DocWriter['restore']>) {
    const watched = this.watched(call[0].version);
    return this.make(
      change,
      () => this.docs.restore(...call),
      ({ version }) => ({ ...watched.facts(version), action: 'restore', after: factsOfVersion(version) }),
      watched,
    );
  }

  changeSettings(change: Change, ...call: Parameters<DocWriter['changeSettings']>) {
    const [project, decide] = call;
    let difference: ReturnType<typeof differenceOfSettings>;
    const { reason, label: version } = change;
    return this.make(
      change,
      () =>
        this.docs.changeSettings(project, (catalogue) => {
          const settings = decide(catalogue);
          if (this.audit.isOn) difference = differenceOfSettings(catalogue.settingsOf(project), settings);
          return settings;
        }),
      () => difference && { ...difference, action: actionOf(reason), project, version },
    );
  }

  changeMadeTokens(change: Change, ...call: Parameters<DocWriter['changeMadeTokens']>) {
    const [decide] = call;
    let difference: ReturnType<typeof differenceOfTokens>;
    const action = change.reason === 'token_made' ? 'make_token' : 'revoke_token';
    const work = () =>
      this.docs.changeMadeTokens((tokens) => {
        const left = decide(tokens);
        if (this.audit.isOn) difference = differenceOfTokens(tokens, left);
        return left;
      });
    return this.make(change, work, () => difference && { ...difference, action });
  }

  /** @param recorded tells of the change once it is made; undefined when nothing had to change */
  private async make<Result>(
    { actor }: Change,
    work: () => Promise<Result>,
    recorded: (result: Result) => Recorded | undefined,
    watched?: Watched,
  ): Promise<Result> {
    try {
      await this.audit.assertWritable();
      const result = await work();
      const entry = this.audit.isOn ? recorded(result) : undefined;
      if (entry !== undefined) await this.audit.made({ ...entry, actor });
      return result;
    } catch (error) {
      // Another upload of the version was faster: the store, which knows no actor, leaves the name empty.
      const isLate = error instanceof Refusal && error.code === 'version_exists' && error.facts.token === '';
      if (!isLate) throw error;
      throw refuse.versionExists(String(error.facts.project), String(error.facts.version), actor.name);
    } finally {
      this.count += 1;
      watched?.end();
    }
  }

  private watched(id: VersionId): Watched {
    return new Watched(id, this.audit.isOn ? this.docs : undefined);
  }
}

function actionOf(reason: ChangeReason): AuditAction {
  return Object.hasOwn(ACTION_OF_SETTING, reason)
    ? ACTION_OF_SETTING[reason as keyof ProjectSettings]
    : 'copy_settings';
}

/** A version while it is changed: the store tells which publication of it came and went. */
class Watched {
  private readonly steps: { readonly came: Version | undefined; readonly gone: Version | undefined }[] = [];
  readonly end: () => void;

  /** @param docs undefined where nobody wants to know */
  constructor(
    private readonly id: VersionId,
    docs: Pick<Catalogues, 'subscribe'> | undefined,
  ) {
    const isMeant = ({ directoryName }: Version) => directoryName === id.directoryName;
    this.end =
      docs?.subscribe(({ came, gone }) => {
        const step = { came: came.find(isMeant), gone: gone.find(isMeant) };
        if (step.came !== undefined || step.gone !== undefined) this.steps.push(step);
      }) ?? (() => {});
  }

  /** Returns what was changed, and which publication went. @param version that took its place; undefined: nothing did */
  facts(version?: Version): Pick<Recorded, 'project' | 'version' | 'before'> {
    const { project } = this.id;
    const gone = this.steps.findLast(({ came }) => came?.revision === version?.revision)?.gone;
    return { project, version: nameInProject(this.id), before: gone && factsOfVersion(gone) };
  }
}
