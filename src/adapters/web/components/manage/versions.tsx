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
      <ul class="plain-list managed-rows" id="version-rows" />
      <template id="version-row">
        <li class="managed-row">
          <p class="managed-name">
            <a data-part="name" href="#versions-heading">
              Version
            </a>{' '}
            <span class="managed-marks" data-part="marks" />
          </p>
          <p class="count" data-part="facts" />
          <p class="buttons">
            <button class="button button-quiet" type="button" data-act="hide" />
            <button class="button button-quiet" type="button" data-act="deprecate" />
            <button class="button button-quiet" type="button" data-act="delete">
              Delete
            </button>
          </p>
        </li>
      </template>
    </Section>
  );
}
