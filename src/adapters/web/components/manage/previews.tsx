import { NameLink } from './name-link.js';
import { Rows } from './rows.js';
import { Section } from './section.js';

/** All previews, with the day on which each is removed. */
export function Previews() {
  return (
    <Section name="previews" title="Previews">
      <p class="count">
        A preview is a site beside the versions, such as that of a pull request. One that is deleted cannot be
        restored.
      </p>
      <Rows
        list="preview"
        name={<NameLink to="previews" />}
        acts={{ delete: 'Delete' }}
        none="There are no previews."
      />
    </Section>
  );
}
