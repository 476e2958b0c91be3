import { Field, PLAIN } from '../field.js';
import { Rows } from './rows.js';
import { Section } from './section.js';
import { SettingForm } from './setting-form.js';

/** The latest version, which may be pinned, and the aliases. */
export function Aliases() {
  return (
    <Section name="aliases" title="Latest version and aliases">
      <SettingForm id="latest-form" button="Save the latest version">
        <Field id="latest" label="Latest version" hint="Readers are led to it, and search finds its pages.">
          <select id="latest" aria-describedby="latest-hint" />
        </Field>
      </SettingForm>
      <Rows list="alias" acts={{ remove: 'Remove' }} />
      <SettingForm id="alias-form" button="Set the alias">
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
      </SettingForm>
    </Section>
  );
}
