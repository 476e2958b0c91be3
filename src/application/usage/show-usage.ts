import {
  COUNTED,
  type Day,
  type Days,
  isOfFile,
  lastDays,
  mergedUsage,
  noTotals,
  PageAddress,
  type PathUsage,
  type Project,
  type ProjectUsage,
  redirectLine,
  refuse,
  type UsageReport,
  UsageSum,
  type VersionUsage,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { KeyedMutex, within } from '../concurrency.js';
import type { FindPage } from '../pages/find-page.js';
import type { SuggestInstead } from '../pages/suggest-instead.js';
import type { Catalogues } from '../ports/doc-store.js';
import type { UsageStore } from '../ports/usage-store.js';

/** Days whose reads are summed up. */
const DAYS = 30;
/** Time after which reads are summed up again, in milliseconds. */
const MAX_AGE_MS = 3_600_000;
/** Time from its beginning for which the first sum is waited for, in milliseconds. */
const MAX_WAIT_MS = 300;

/** Max. pages, and max. missing pages, in a report. */
const MAX_REPORTED = 50;

/** A path that readers looked for in vain, and what became of it. */
export interface MissedPath extends PathUsage {
  /** Path of the page to which it leads in the latest version now. */
  readonly leadsTo?: string;
  /** Line for `_redirects` that would lead to the closest page of the latest version. */
  readonly proposedRedirect?: string;
}

/** Usage of a project, with its listed versions only. */
export interface ShownUsage extends UsageReport {
  readonly project: Project;
  readonly misses: readonly MissedPath[];
}

/** `/-/projects/<project>/usage`: how a project is read, in the last `days`. */
export interface UsageModel {
  readonly usage: ShownUsage;
  readonly days: number;
}

/** Usage of a project on one day. */
export interface DailyUsage {
  readonly day: Day;
  /** Counts of the listed versions. */
  readonly usage: ProjectUsage;
  /** Sum of all other versions. */
  readonly others: UsageReport['others'];
}

/** Use case: shows how a project is read. */
export class ShowUsage {
  /** Reports are made one after the other: each reads hundreds of files. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: Pick<UsageStore, 'read'>,
    private readonly pages: FindPage,
    private readonly suggestions: Pick<SuggestInstead, 'closestTo'>,
  ) {}

  /**
   * Returns what was asked of a project in the last `days`, today included.
   * @throws Refusal `project_not_found`, also for a project whose versions are all hidden
   */
  async execute(seen: VisibleCatalogue, name: string, days: number, now = new Date()): Promise<ShownUsage> {
    const project = projectIn(seen, name);
    return this.mutex.run('reports', () => this.report(project, days, now));
  }

  /**
   * Returns what was counted on each of these days, oldest first. Versions that are not listed are one sum.
   * @throws as `execute`
   */
  daily(seen: VisibleCatalogue, name: string, days: number, now = new Date()): AsyncIterable<DailyUsage> {
    return this.readDaily(projectIn(seen, name), lastDays(days, now));
  }

  private async *readDaily(project: Project, range: Days): AsyncGenerator<DailyUsage> {
    const labels = listedLabels(project);
    for await (const { day, usages } of this.store.read(project.directoryName, range)) {
      const listed = new Map<string, VersionUsage>();
      const others = noTotals();
      for (const [label, usage] of mergedUsage(usages)) {
        if (labels.has(label)) listed.set(label, usage);
        else {
          for (const counted of COUNTED) others[counted] += usage[counted].total;
        }
      }
      yield { day, usage: listed, others };
    }
  }

  private async report(project: Project, days: number, now: Date): Promise<ShownUsage> {
    const range = lastDays(days, now);
    const labels = listedLabels(project);
    const sum = new UsageSum(range, (label) => labels.has(label));
    for await (const { day, usages } of this.store.read(project.directoryName, range)) {
      for (const usage of usages) sum.add(day, usage);
    }
    const report = sum.report(MAX_REPORTED);
    const misses: MissedPath[] = [];
    for (const missed of newestFirst(project, report.misses))
      misses.push({ ...missed, ...(await this.remedy(project, missed.path)) });
    const { count, paths } = report.missingFiles;
    const missingFiles = { count, paths: newestFirst(project, paths) };
    const reads = newestFirst(project, report.reads);
    const agents = newestFirst(project, report.agents);
    return { ...report, project, reads, agents, misses, missingFiles };
  }

  private async remedy(
    project: Project,
    path: string,
  ): Promise<Pick<MissedPath, 'leadsTo' | 'proposedRedirect'>> {
    const { latest: version } = project;
    const address = PageAddress.of(path);
    if (address === undefined) return {};
    const found =
      (await this.pages.inAnySpelling(version, address)) ??
      (await this.pages.moved({ project, version }, address));
    if (found !== undefined) return { leadsTo: found.file.toString() };
    const [closest] = await this.suggestions.closestTo(address, version);
    const line = closest === undefined ? undefined : redirectLine(address.toUrl(), closest);
    return line === undefined ? {} : { proposedRedirect: line };
  }
}

function projectIn(seen: VisibleCatalogue, name: string): Project {
  const project = seen.listedProject(name);
  if (project === undefined) throw refuse.projectNotFound(name);
  return project;
}

/** Returns paths with their versions in the order of pages. */
function newestFirst(project: Project, paths: readonly PathUsage[]): readonly PathUsage[] {
  const labels = project.listed.map(({ label }) => label).toReversed();
  return paths.map((path) => {
    const asked = new Set(path.versions);
    return { ...path, versions: labels.filter((label) => asked.has(label)) };
  });
}

function listedLabels({ listed }: Project): ReadonlySet<string> {
  return new Set(listed.map(({ label }) => label));
}

/** Sums of what was asked of a project. */
export interface ReadCounts {
  readonly reads: number;
  readonly agents: number;
  /** Requests for missing pages, without those for missing files. */
  readonly missing: number;
}

/** Reads of each project in the last 30 days, as they were summed up last. Nobody waits for the store for long. */
export class ProjectReads {
  /** Undefined until they have been summed up. */
  private sums: ReadonlyMap<string, ReadCounts> | undefined;
  private summing: Promise<void> = Promise.resolve();
  private begunAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue'>,
    private readonly store: Pick<UsageStore, 'read'>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Reads of a project by its directory name; 0 until they have been summed up. Begins to sum up once an hour. */
  of(project: string): number {
    return this.countsOf(project)?.reads ?? 0;
  }

  /** The same with all sums; undefined until they have been summed up. */
  countsOf(project: string): ReadCounts | undefined {
    this.begin();
    return this.sums?.get(project);
  }

  /** Waits for the first sums, but not for long: those of thousands of projects take seconds. */
  async ready(): Promise<void> {
    this.begin();
    const leftMs = this.begunAt + MAX_WAIT_MS - this.clock();
    if (this.sums === undefined && leftMs > 0) await within(leftMs, this.summing);
  }

  private begin(): void {
    if (this.clock() - this.begunAt < MAX_AGE_MS) return;
    this.begunAt = this.clock();
    // Counts that cannot be read are tried again an hour later; the sums are as before until then.
    this.summing = this.sumUp().catch(() => {});
  }

  /**
   * Sums up what was asked of all projects.
   * @throws what `UsageStore.read` throws; the sums are as before then
   */
  async sumUp(now = new Date()): Promise<void> {
    const sums = new Map<string, ReadCounts>();
    const range = lastDays(DAYS, now);
    for (const { directoryName } of this.docs.catalogue().projects) {
      const sum = { reads: 0, agents: 0, missing: 0 };
      for await (const { usages } of this.store.read(directoryName, range)) {
        for (const { reads, agents, misses } of usages.flatMap((usage) => [...usage.values()])) {
          sum.reads += reads.total;
          sum.agents += agents.total;
          sum.missing += misses.total;
          for (const [path, count] of misses.paths) if (isOfFile(path)) sum.missing -= count;
        }
      }
      sums.set(directoryName, sum);
    }
    this.sums = sums;
  }
}
