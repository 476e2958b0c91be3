import { MAX_TERM_CHARACTERS, type ProjectOrder } from '../../../domain/index.js';
import { useAddresses } from './page-context.js';

interface SearchFormProps {
  readonly search: string;
  readonly order: ProjectOrder;
}

/** Form to find projects by name. It works without scripts; `projects.js` searches as people type. */
export function SearchForm({ search, order }: SearchFormProps) {
  const addresses = useAddresses();
  return (
    <search>
      <form class="search-form" action={addresses.projects} method="get">
        <label class="visually-hidden" for="search">
          Search projects by name
        </label>
        <input
          id="search"
          name="search"
          type="search"
          maxlength={MAX_TERM_CHARACTERS}
          value={search}
          placeholder="Search projects"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-keyshortcuts="/"
        />
        <span class="search-key" aria-hidden="true">
          /
        </span>
        {order !== 'name' && <input type="hidden" name="sort" value={order} />}
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
