import { Field, PLAIN } from '../field.js';
import { Section } from './section.js';

/** The latest version, which may be pinned, and the aliases. */
export function Aliases() {
  return (
    <Section name="aliases" title="Latest version and aliases">
      <form class="fields" id="latest-form" autocomplete="off">
        <Field id="latest" label="Latest version" hint="Readers are led to it, and search finds its pages.">
          <select id="latest" aria-describedby="latest-hint" />
        </Field>
        <p class="buttons">
          <button class="button" type="submit">
            Save the latest version
          </button>
        </p>
      </form>
      <ul class="plain-list managed-rows" id="alias-rows" />
      <form class="fields" id="alias-form" autocomplete="off" novalidate>
        <Field id="alias" label="Alias">
          <input id="alias" type="text" placeholder="stable" maxlength={100} {...PLAIN} />
        </Field>
        <Field id="target" label="Stands for" hint="A version, or a series such as 2.x: its newest release.">
          <input
            id="target"
            type="text"
            list="targets"
            placeholder="2.x"
            maxlength={100}
            aria-describedby="target-hint"
            {...PLAIN}
          />
          <datalist id="targets" />
        </Field>
        <p class="buttons">
          <button class="button" type="submit">
            Set the alias
          </button>
        </p>
      </form>
      <template id="alias-row">
        <li class="managed-row">
          <p class="managed-name" data-part="name" />
          <p class="count" data-part="facts" />
          <p class="buttons">
            <button class="button button-quiet" type="button" data-act="remove">
              Remove
            </button>
          </p>
        </li>
      </template>
    </Section>
  );
}
