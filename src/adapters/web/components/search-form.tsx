import { addresses } from '../addresses.js';

/** Finds projects by name. A plain form: it works without scripts. */
export function SearchForm({ search }: { readonly search: string }) {
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
          value={search}
          placeholder="Search projects"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
