import { type Actor, type ProjectSettings, Refusal, type RetentionRule, refuse } from '../domain/index.js';
import type { DocWriter } from './ports/doc-store.js';

/** Why something is changed: what was asked for, the field of the settings, or by what the server decided. */
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
}

/**
 * The one way to change a store: every change that a use case of this program decides goes through `make`, while
 * `DocStore.subscribe` tells of those by other processes and nodes as well. Each method is that of `DocStore`.
 */
export class Changes {
  constructor(private readonly docs: DocWriter) {}

  /** Nothing is changed before `publish`. */
  stage() {
    return this.docs.stage();
  }

  publish(change: Change, ...call: Parameters<DocWriter['publish']>) {
    return this.make(change, () => this.docs.publish(...call));
  }

  remove(change: Change, ...call: Parameters<DocWriter['remove']>) {
    return this.make(change, () => this.docs.remove(...call));
  }

  restore(change: Change, ...call: Parameters<DocWriter['restore']>) {
    return this.make(change, () => this.docs.restore(...call));
  }

  changeSettings(change: Change, ...call: Parameters<DocWriter['changeSettings']>) {
    return this.make(change, () => this.docs.changeSettings(...call));
  }

  changeMadeTokens(change: Change, ...call: Parameters<DocWriter['changeMadeTokens']>) {
    return this.make(change, () => this.docs.changeMadeTokens(...call));
  }

  private async make<Result>({ actor }: Change, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      // Another upload of the version was faster: the store, which knows no actor, leaves the name empty.
      const isLate = error instanceof Refusal && error.code === 'version_exists' && error.facts.token === '';
      if (!isLate) throw error;
      throw refuse.versionExists(String(error.facts.project), String(error.facts.version), actor.name);
    }
  }
}
