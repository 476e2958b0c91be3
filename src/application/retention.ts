import {
  type Catalogue,
  type DueVersion,
  dueBy,
  maxInRound,
  type Project,
  Refusal,
  type RetentionRules,
  retentionPlan,
  serverActor,
  withRetention,
} from '../domain/index.js';
import type { Changes } from './changes.js';
import { nextTurn } from './concurrency.js';
import type { Catalogues } from './ports/doc-store.js';

/** Projects that are looked at between yields to the event loop. */
const PROJECTS_AT_A_TIME = 100;

const RETENTION = serverActor('retention');

/** Use case: removes the versions that rules of retention remove. Safe for several processes and nodes at once. */
export class ApplyRetention {
  /** Plans by project: a change makes a new project. */
  private readonly plans = new WeakMap<Project, readonly DueVersion[]>();

  /** @param rules for all projects without rules of their own */
  constructor(
    private readonly docs: Catalogues,
    private readonly changes: Pick<Changes, 'remove'>,
    private readonly rules: RetentionRules = {},
  ) {}

  /** Returns the rules that count for a project: its own ones, else the server's. */
  rulesOf({ settings }: Pick<Project, 'settings'>): RetentionRules {
    return settings.retention ?? this.rules;
  }

  /** Returns the versions of a project that its rules remove, now or later, those that go first in front. */
  planOf(project: Project): readonly DueVersion[] {
    const plan = this.plans.get(project) ?? retentionPlan(project, this.rulesOf(project));
    this.plans.set(project, plan);
    return plan;
  }

  /** Returns the versions of a project that these rules would remove now; undefined: the server's rules. */
  wouldRemove(name: string, rules: RetentionRules | undefined, now: Date): readonly DueVersion[] {
    const project = this.docs.catalogue().project(name);
    if (project === undefined) return [];
    const settings = withRetention(project.settings, rules);
    return dueBy(now, retentionPlan(project, this.rulesOf({ settings })));
  }

  /** Returns what goes now, of all projects. */
  async *due(now: Date): AsyncGenerator<DueVersion> {
    for (const [index, project] of this.docs.catalogue().projects.entries()) {
      if (index % PROJECTS_AT_A_TIME === PROJECTS_AT_A_TIME - 1) await nextTurn();
      yield* dueBy(now, this.planOf(project));
    }
  }

  /** Returns what goes now by rules with days, of all projects, what goes first in front. */
  async dueByDays(now: Date): Promise<readonly DueVersion[]> {
    const due: DueVersion[] = [];
    for await (const each of this.due(now)) if (each.dueMs > 0) due.push(each);
    return due.sort((a, b) => a.dueMs - b.dueMs);
  }

  /** Returns how many versions one round of housekeeping may remove by rules with days. */
  get maxInRound(): number {
    const { projects } = this.docs.catalogue();
    return maxInRound(projects.reduce((sum, { versions }) => sum + versions.length, 0));
  }

  /** Removes what goes by rules without days, whatever the time is. */
  executeWithoutClock(signal?: AbortSignal): AsyncGenerator<DueVersion> {
    return this.execute(new Date(), signal, [], new Date(0));
  }

  /**
   * Removes what goes now. Each version is looked at again right before: one that was replaced, or has an alias by then,
   * stays.
   * @param signal ends the work between two versions
   * @param waiting versions that are left for later
   * @param until time by which the days of a rule have to be over
   * @returns each version once it is removed
   * @throws a failure of the store; one that concerns a single project after the others are done
   */
  async *execute(
    now: Date,
    signal?: AbortSignal,
    waiting: readonly DueVersion[] = [],
    until = now,
  ): AsyncGenerator<DueVersion> {
    const failed = new Map<string, Refusal>();
    const later = new Set(waiting.map(({ version }) => version.revision));
    for await (const due of this.due(until)) {
      if (signal?.aborted === true) return;
      const { project, revision } = due.version;
      if (failed.has(project) || later.has(revision)) continue;
      try {
        if (await this.remove(due, now, until)) yield due;
      } catch (error) {
        if (!(error instanceof Refusal) || error.facts.project !== project) throw error;
        failed.set(project, error);
      }
    }
    for (const refusal of failed.values()) throw refusal;
  }

  /** @returns whether it was removed */
  private async remove({ version, rule }: DueVersion, now: Date, until: Date): Promise<boolean> {
    const confirm = (catalogue: Catalogue) => {
      const project = catalogue.project(version.project);
      const due = project === undefined ? [] : dueBy(until, this.planOf(project));
      if (!due.some((each) => each.version.revision === version.revision)) throw new NotDue();
    };
    try {
      const change = { actor: RETENTION, now, reason: rule };
      await this.changes.remove(change, version, { revision: version.revision, confirm });
      return true;
    } catch (error) {
      if (error instanceof NotDue) return false;
      // Another process has removed or replaced it.
      const isGone = error instanceof Refusal && GONE.includes(error.code);
      if (isGone) return false;
      throw error;
    }
  }
}

const GONE: readonly string[] = ['version_not_found', 'project_not_found'];

/** A version does not go any more. */
class NotDue extends Error {
  override readonly name = 'NotDue';
}
