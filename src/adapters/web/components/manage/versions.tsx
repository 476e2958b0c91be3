import { NameLink } from './name-link.js';
import { Rows } from './rows.js';
import { Section } from './section.js';

/** All versions, hidden ones too, with what can be done with each. */
export function Versions() {
  return (
    <Section name="versions" title="Versions">
      <p class="count">
        A hidden version can still be read at its address. It is in no list, and search does not find it.
      </p>
      <p class="count" id="no-delete" hidden>
        This token may not delete versions: it lacks <code>allow_delete</code>.
      </p>
      <input
        class="version-filter"
        id="filter"
        type="search"
        placeholder="Filter versions"
        aria-label="Filter versions"
        hidden
      />
      <Rows
        list="version"
        name={<NameLink to="versions" />}
        acts={{ hide: '', deprecate: '', delete: 'Delete' }}
      />
    </Section>
  );
}
