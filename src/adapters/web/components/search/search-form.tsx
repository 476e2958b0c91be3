import type { IndexQuery } from '../../addresses.js';
import { useAddresses, useSite } from '../page-context.js';
import { SearchBox } from './search-box.js';

/** Form of the index, to find projects, within a group or tag if there is one, and pages. */
export function SearchForm({ search, ...kept }: IndexQuery) {
  const addresses = useAddresses();
  const { search: findsPages } = useSite();
  return (
    <SearchBox
      action={addresses.projects}
      name="search"
      value={search ?? ''}
      label={findsPages ? 'Search projects and their pages' : 'Search projects'}
      placeholder={findsPages ? 'Search projects and pages' : 'Search projects'}
      parameters={{ ...kept }}
    />
  );
}
