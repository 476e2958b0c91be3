import type { ComponentChildren } from 'preact';
import type { PageModels, ProjectRow, TableColumn } from '../../../application/index.js';
import { tableOrder } from '../../../application/index.js';
import { counted, sizeOf } from '../../../domain/index.js';
import type { TableQuery } from '../addresses.js';
import { Day } from '../components/day.js';
import { Filters } from '../components/index-controls.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { SearchBox } from '../components/search/search-box.js';
import { asset } from '../public-files.js';

type TableFacts = PageModels['table'];

const NAMES: Readonly<Record<TableColumn, string>> = {
  project: 'Project',
  group: 'Group',
  owner: 'Owner',
  versions: 'Versions',
  size: 'Size',
  published: 'Last published',
  by: 'Token',
  reads: 'Reads',
  agents: 'Agent reads',
  missing: 'Missing pages',
  dead_links: 'Dead links',
  warnings: 'Warnings',
};

const NUMBERS: readonly TableColumn[] = [
  'versions',
  'size',
  'reads',
  'agents',
  'missing',
  'dead_links',
  'warnings',
];

/** `/-/projects`: projects with the numbers that operators ask for. */
export function TablePage(facts: TableFacts) {
  const { rows, found, search, columns } = facts;
  const addresses = useAddresses();
  const query = queryOf(facts);
  return (
    <Layout title="Projects as a table" styles={['table']} scripts={{ modules: [asset('search-keys')] }}>
      <div class="page-head line ends">
        <div>
          <h1>Projects as a table</h1>
          <p class="count">{found === 0 ? 'No projects' : counted(found, 'project')}</p>
        </div>
        <SearchBox
          action={addresses.table({})}
          name="search"
          value={search.text}
          label="Search projects"
          placeholder="Search projects"
          parameters={{ ...query, search: undefined }}
        />
      </div>
      <Filters query={query} to={addresses.table} />
      {rows.length > 0 && <Rows {...facts} />}
      <Steps {...facts} />
      <p class="count">
        {columns.includes('reads') &&
          'Reads and missing pages are those of the last 30 days, summed up once an hour. '}
        All rows: <a href={addresses.table({ ...query, format: 'csv' })}>CSV</a>
      </p>
    </Layout>
  );
}

function Rows(facts: TableFacts) {
  const { columns, rows, sort, isDescending } = facts;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be one more heading to find
    <div class="table-frame" role="region" aria-label="Projects" tabindex={0}>
      <table class="project-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                class={NUMBERS.includes(column) ? 'number' : undefined}
                aria-sort={column !== sort ? undefined : isDescending ? 'descending' : 'ascending'}
              >
                <Sorting column={column} facts={facts} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.project.directoryName}>
              {columns.map((column) =>
                column === 'project' ? (
                  <th key={column} scope="row">
                    <Cell row={row} column={column} facts={facts} />
                  </th>
                ) : (
                  <td key={column} class={NUMBERS.includes(column) ? 'number' : undefined}>
                    <Cell row={row} column={column} facts={facts} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ColumnProps {
  readonly column: TableColumn;
  readonly facts: TableFacts;
}

/** Sorts by a column, or the other way where it is the one already. */
function Sorting({ column, facts }: ColumnProps) {
  const addresses = useAddresses();
  const isOwn = column === facts.sort;
  const isDescending = isOwn ? !facts.isDescending : tableOrder(column).isDescending;
  const query = queryOf({ ...facts, sort: column, isDescending });
  return (
    <a class="soft-link" href={addresses.table(query)}>
      {NAMES[column]}
      {isOwn && <span aria-hidden="true">{facts.isDescending ? ' ↓' : ' ↑'}</span>}
    </a>
  );
}

function Cell({ row, column, facts }: ColumnProps & { readonly row: ProjectRow }): ComponentChildren {
  const { project, values } = row;
  const addresses = useAddresses();
  const value = values[column];
  if (value === undefined) return null;
  if (value instanceof Date) return <Day date={value} />;
  switch (column) {
    case 'project':
      return (
        <>
          <a class="quiet-link" href={addresses.project(project)}>
            <bdi>{value}</bdi>
          </a>
          {value !== project.directoryName && (
            <code class="directory-name small">{project.directoryName}</code>
          )}
        </>
      );
    case 'group':
    case 'owner':
      return (
        <a class="soft-link" href={addresses.table({ ...queryOf(facts), [column]: String(value) })}>
          <bdi>{value}</bdi>
        </a>
      );
    case 'size':
      return sizeOf(Number(value));
    case 'dead_links':
      return Number(value) === 0 ? (
        '0'
      ) : (
        <a class="quiet-link" href={addresses.links(project.latest)}>
          {numberText(value)}
        </a>
      );
    default:
      return typeof value === 'number' ? numberText(value) : <bdi>{value}</bdi>;
  }
}

function numberText(value: string | number): string {
  return Number(value).toLocaleString('en');
}

/** Links to the rows before and after these. */
function Steps(facts: TableFacts) {
  const addresses = useAddresses();
  const { offset, limit, rows, found } = facts;
  const before = offset > 0 ? Math.max(0, offset - limit) : undefined;
  const after = offset + rows.length < found && rows.length > 0 ? offset + rows.length : undefined;
  if (before === undefined && after === undefined) return null;
  const to = (at: number) => addresses.table({ ...queryOf(facts), offset: at || undefined });
  return (
    <nav class="line apart" aria-label="Rows">
      {before !== undefined && (
        <a class="quiet-link" href={to(before)}>
          Previous rows
        </a>
      )}
      <span class="count">
        {rows.length === 0 ? 'No rows here' : `${offset + 1} to ${offset + rows.length} of ${found}`}
      </span>
      {after !== undefined && (
        <a class="quiet-link" href={to(after)}>
          Next rows
        </a>
      )}
    </nav>
  );
}

/** The query that leads to this table, at its first row. */
function queryOf({ search, filter, sort, isDescending }: TableFacts): Omit<TableQuery, 'offset' | 'format'> {
  const byItself = tableOrder(sort).isDescending === isDescending;
  return {
    search: search.text || undefined,
    ...filter,
    sort: sort === 'project' && byItself ? undefined : sort,
    order: byItself ? undefined : isDescending ? 'desc' : 'asc',
  };
}
