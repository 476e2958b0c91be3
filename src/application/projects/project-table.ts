import {
  compareNames,
  type Project,
  type ProjectFilter,
  type SearchTerm,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { nextTurn } from '../concurrency.js';
import type { KnownLinks } from '../links/known-links.js';
import type { DiskUse } from '../ports/sites.js';
import type { ProjectReads } from '../usage/show-usage.js';
import type { ListProjects } from './list-projects.js';

/** Projects whose facts are looked up at once. */
const MAX_AT_ONCE = 32;

/** Columns of the table of projects, in their order. */
export const TABLE_COLUMNS = [
  'project',
  'group',
  'owner',
  'versions',
  'size',
  'published',
  'by',
  'reads',
  'agents',
  'missing',
  'dead_links',
  'warnings',
] as const;

export type TableColumn = (typeof TABLE_COLUMNS)[number];

/** Columns of words; in all others, the largest come first unless somebody asks for the other order. */
const OF_WORDS: readonly TableColumn[] = ['project', 'group', 'owner', 'by'];

/** A row: a text, a number or a time for each column; undefined where it is not known. */
export interface ProjectRow {
  readonly project: Project;
  readonly values: Readonly<Partial<Record<TableColumn, string | number | Date>>>;
}

export interface TableOrder {
  readonly sort: TableColumn;
  readonly isDescending: boolean;
}

/** Returns the order of a table that is sorted by a column. @param order undefined for the one that the column has by itself */
export function tableOrder(sort: TableColumn, order?: 'asc' | 'desc'): TableOrder {
  return { sort, isDescending: order === undefined ? !OF_WORDS.includes(sort) : order === 'desc' };
}

/** `/-/projects`: some rows of the table of projects. */
export interface TableModel extends TableOrder {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly ProjectRow[];
  /** Number of all rows. */
  readonly found: number;
  /** Rows before the first one of these. */
  readonly offset: number;
  /** Max. rows on a page. */
  readonly limit: number;
  readonly search: SearchTerm;
  readonly filter: ProjectFilter;
}

/** Use case: lists projects with the numbers that operators ask for. */
export class ProjectTable {
  /** The columns that there are: none of what is turned off. */
  readonly columns: readonly TableColumn[];

  /** @param links undefined where links are not checked; `reads` where nothing is counted */
  constructor(
    private readonly list: ListProjects,
    private readonly diskUse: (project: string) => Promise<DiskUse>,
    private readonly links?: Pick<KnownLinks, 'ofLatest'>,
    private readonly reads?: Pick<ProjectReads, 'countsOf' | 'ready'>,
  ) {
    const absent: readonly TableColumn[] = [
      ...(reads === undefined ? (['reads', 'agents', 'missing'] as const) : []),
      ...(links === undefined ? (['dead_links'] as const) : []),
    ];
    this.columns = TABLE_COLUMNS.filter((column) => !absent.includes(column));
  }

  /** @returns a row for each listed project that is found */
  async execute(
    seen: VisibleCatalogue,
    { search, filter }: Pick<TableModel, 'search' | 'filter'>,
    order: TableOrder,
  ): Promise<readonly ProjectRow[]> {
    await this.reads?.ready();
    const projects = await this.list.execute(seen, { search, filter });
    const rows: ProjectRow[] = [];
    for (let start = 0; start < projects.length; start += MAX_AT_ONCE) {
      const some = projects.slice(start, start + MAX_AT_ONCE);
      rows.push(...(await Promise.all(some.map((project) => this.rowOf(project)))));
      await nextTurn();
    }
    return sorted(rows, order);
  }

  private async rowOf(project: Project): Promise<ProjectRow> {
    const { directoryName, title, docinfo, listed, latest } = project;
    const { versions, previews, removed } = await this.diskUse(directoryName);
    const { record } = newestOf(listed) ?? latest;
    const counts = this.reads?.countsOf(directoryName);
    const values = {
      project: title,
      group: docinfo.group,
      owner: docinfo.owner,
      versions: listed.length,
      size: versions + previews + removed,
      published: record.publishedAt,
      by: record.token,
      reads: counts?.reads,
      agents: counts?.agents,
      missing: counts?.missing,
      dead_links: await this.links?.ofLatest(project),
      warnings: latest.record.warnings?.length ?? 0,
    };
    const known = Object.entries(values).filter(([, value]) => value !== undefined);
    return { project, values: Object.fromEntries(known) };
  }
}

/** The version that was published last. */
function newestOf(versions: readonly Version[]): Version | undefined {
  return versions.reduce<Version | undefined>(
    (last, each) => (last === undefined || each.record.publishedAt >= last.record.publishedAt ? each : last),
    undefined,
  );
}

/** Rows in an order; those without a value are last in each, and equal ones by title and name. */
function sorted(rows: readonly ProjectRow[], { sort, isDescending }: TableOrder): readonly ProjectRow[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [a.values[sort], b.values[sort]];
    return (
      Number(left === undefined) - Number(right === undefined) ||
      sign * compareValues(left, right) ||
      compareNames(a.project.title, b.project.title) ||
      (a.project.directoryName < b.project.directoryName ? -1 : 1)
    );
  });
}

function compareValues(a: ProjectRow['values'][TableColumn], b: ProjectRow['values'][TableColumn]): number {
  if (typeof a === 'string' && typeof b === 'string') return compareNames(a, b);
  return Number(a ?? 0) - Number(b ?? 0);
}
