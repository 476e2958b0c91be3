import { type Facet, PROJECT_ORDERS, type ProjectFilter, type ProjectOrder } from '../../../domain/index.js';
import type { IndexQuery } from '../addresses.js';
import { useAddresses } from './page-context.js';
import { UNGROUPED } from './project/project-list.js';

interface ControlProps {
  /** Query of the index; every control changes one part of it. */
  readonly query: IndexQuery;
}

const FILTERS = { group: 'Group', ungrouped: 'Group', tag: 'Tag', owner: 'Owner' } as const;

interface FiltersProps<Query> {
  readonly query: Query;
  /** Returns the address of the page with another query. */
  readonly to: (query: Query) => string;
}

/** Group, tag and owner of the filter, each with the way out. */
export function Filters<Query extends ProjectFilter>({ query, to }: FiltersProps<Query>) {
  const given = (['group', 'ungrouped', 'tag', 'owner'] as const).flatMap((kind) => {
    const value = query[kind];
    return value === undefined ? [] : { kind, value: value === true ? UNGROUPED : value };
  });
  if (given.length === 0) return null;
  return (
    <ul class="plain-list line filters" aria-label="Filter">
      {given.map(({ kind, value }) => (
        <li class="filter" key={kind}>
          <span class="small">{FILTERS[kind]}</span> <bdi>{value}</bdi>
          <a
            class="filter-end"
            href={to({ ...query, [kind]: undefined })}
            aria-label={`Remove the filter ${FILTERS[kind].toLowerCase()} ${value}`}
          >
            ×
          </a>
        </li>
      ))}
    </ul>
  );
}

/** All tags, to filter by. */
export function Facets({ facets, query }: ControlProps & { readonly facets: readonly Facet[] }) {
  const addresses = useAddresses();
  if (facets.length === 0 || query.tag !== undefined) return null;
  return (
    <details class="facets">
      <summary class="small">Tags</summary>
      <ul class="plain-list line">
        {facets.map(({ name, projects }) => (
          <li key={name}>
            <a class="quiet tag" href={addresses.index({ ...query, tag: name })}>
              <bdi>{name}</bdi> <span class="tally">{projects}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

const ORDERS = { group: 'Group', name: 'Name', newest: 'Newest' } as const satisfies Record<
  ProjectOrder,
  string
>;

interface OrdersProps extends ControlProps {
  readonly order: ProjectOrder;
  /** Whether there are groups to show: then that is the default order. */
  readonly hasGroups: boolean;
}

export function Orders({ query, order, hasGroups }: OrdersProps) {
  const addresses = useAddresses();
  const orders = PROJECT_ORDERS.filter((each) => hasGroups || each !== 'group');
  return (
    <nav class="orders" aria-label="Order">
      <ul class="plain-list line">
        {orders.map((each) => (
          <li key={each}>
            <a
              class="quiet order"
              href={addresses.index({ ...query, sort: each === orders[0] ? undefined : each })}
              aria-current={each === order ? 'true' : undefined}
            >
              {ORDERS[each]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
