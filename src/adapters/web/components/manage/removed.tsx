import { useSite } from '../page-context.js';
import { spanOf } from '../quantities.js';
import { Section } from './section.js';

/** What can be restored. */
export function Removed() {
  const { keepRemovedMs = 0 } = useSite();
  return (
    <Section name="removed" title="Removed versions">
      <p class="count">
        {keepRemovedMs > 0
          ? `What is deleted or replaced can be restored for ${spanOf(keepRemovedMs)}.`
          : 'This server keeps nothing of what is deleted or replaced.'}
      </p>
      <p class="count" id="none-removed" hidden>
        Nothing can be restored now.
      </p>
      <ul class="plain-list managed-rows" id="removed-rows" />
      <template id="removed-row">
        <li class="managed-row">
          <p class="managed-name" data-part="name" />
          <p class="count" data-part="facts" />
          <p class="buttons">
            <button class="button button-quiet" type="button" data-act="restore">
              Restore
            </button>
          </p>
        </li>
      </template>
    </Section>
  );
}
