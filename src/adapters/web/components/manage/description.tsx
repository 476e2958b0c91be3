import { Field, PLAIN } from '../field.js';
import { Section } from './section.js';
import { SettingForm } from './setting-form.js';

/** Fields of a description, with the longest text that the API takes. */
const FIELDS = [
  { id: 'title', label: 'Title', max: 100 },
  { id: 'description', label: 'Description', max: 1_000 },
  { id: 'group', label: 'Group', max: 100 },
  { id: 'tags', label: 'Tags, separated by commas', max: 500 },
  { id: 'owner', label: 'Owner', max: 100 },
  { id: 'repository', label: 'Repository', max: 500 },
  { id: 'contact', label: 'Contact', max: 200 },
] as const;

/** What is set for a project in place of its docinfo. */
export function Description() {
  return (
    <Section name="about" title="Description">
      <p class="count">An empty field shows what the site itself says.</p>
      <SettingForm id="about-form" button="Save the description">
        {FIELDS.map(({ id, label, max }) => (
          <Field key={id} id={`about-${id}`} label={label}>
            <input id={`about-${id}`} name={id} type="text" maxlength={max} {...PLAIN} spellcheck />
          </Field>
        ))}
      </SettingForm>
    </Section>
  );
}
