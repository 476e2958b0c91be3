import { MAX_IN_RULE, NUMBER_RULES, type RetentionRule, spanOf } from '../../../domain/index.js';
import { Field, NameLink, PLAIN, Rows, Section, SettingForm } from './field.js';
import { useSite } from './page-context.js';

/** Fields of a description, with the longest text that the API takes. */
const FIELDS = [
  { id: 'title', label: 'Title', max: 100 },
  { id: 'group', label: 'Group', max: 100 },
  { id: 'description', label: 'Description', max: 1_000 },
  { id: 'owner', label: 'Owner', max: 100 },
  { id: 'tags', label: 'Tags, separated by commas', max: 500 },
  { id: 'repository', label: 'Repository', max: 500 },
  { id: 'contact', label: 'Contact', max: 200 },
] as const;

const LABELS = {
  keep_per_minor: 'Releases to keep of each minor version',
  keep_pre_releases: 'Pre-releases to keep',
  pre_release_days: 'Days to keep a pre-release after its final version',
  max_age_days: 'Days to keep any version',
} as const satisfies Record<RetentionRule, string>;

/** Title, group and the like of a project, set in place of its docinfo. */
export function Details() {
  return (
    <Section name="about" title="Details" open>
      <SettingForm
        id="about-form"
        saves="the details"
        isMain
        hint="An empty field shows what the site itself says."
      >
        {FIELDS.map(({ id, label, max }) => (
          <Field key={id} id={`about-${id}`} label={label}>
            <input id={`about-${id}`} name={id} type="text" maxlength={max} {...PLAIN} spellcheck />
          </Field>
        ))}
      </SettingForm>
    </Section>
  );
}

/** The latest version, which may be pinned, and the aliases. */
export function Aliases() {
  return (
    <Section name="aliases" title="Latest version and aliases">
      <SettingForm
        id="latest-form"
        saves="the latest version"
        hint="Readers are led to it, and search finds its pages."
      >
        <Field id="latest" label="Latest version">
          <select id="latest" aria-describedby="latest-form-hint" />
        </Field>
      </SettingForm>
      <Rows list="alias" acts={{ remove: 'Remove' }} />
      <SettingForm
        id="alias-form"
        saves="the alias"
        hint="An alias points to a version, or to a series such as 2.x: its newest release."
      >
        <Field id="alias" label="Alias">
          <input id="alias" type="text" placeholder="stable" maxlength={100} {...PLAIN} />
        </Field>
        <Field id="target" label="Points to">
          <input
            id="target"
            type="text"
            list="targets"
            placeholder="2.x"
            maxlength={100}
            aria-describedby="alias-form-hint"
            {...PLAIN}
          />
          <datalist id="targets" />
        </Field>
      </SettingForm>
    </Section>
  );
}

/** All versions, hidden ones too, with what can be done with each. */
export function Versions() {
  return (
    <Section name="versions" title="Versions" open>
      <p class="count">
        A hidden version can still be read at its address. It is in no list, and search does not find it.
      </p>
      <p class="count" id="no-delete" hidden>
        This token may not delete versions: it lacks <code>allow_delete</code>.
      </p>
      <input
        class="version-filter above-3"
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

/** Rules by which versions are removed, of the server or of the project. */
export function Retention() {
  return (
    <Section name="retention" title="Retention">
      <p class="count">
        Rules remove old versions by themselves. The latest version is never removed, nor is one that an alias
        points to.
      </p>
      <SettingForm
        id="retention-form"
        saves="the rules"
        buttons={
          <button class="button" id="dry-run" type="button">
            Preview<span class="visually-hidden"> what the rules remove</span>
          </button>
        }
      >
        <fieldset>
          <legend class="field-label">Rules</legend>
          <label class="choice">
            <input type="radio" name="whose" value="server" /> Server defaults
          </label>
          <label class="choice">
            <input type="radio" name="whose" value="project" /> Custom rules
          </label>
        </fieldset>
        <fieldset class="fields stack" id="rules">
          <legend class="visually-hidden">Custom rules</legend>
          {Object.entries(LABELS).map(([rule, label]) => (
            <Field key={rule} id={`rule-${rule}`} label={label}>
              <input
                id={`rule-${rule}`}
                name={rule}
                type="number"
                inputmode="numeric"
                min={NUMBER_RULES[rule as RetentionRule].min}
                max={MAX_IN_RULE}
              />
            </Field>
          ))}
          <label class="choice">
            <input type="checkbox" name="copied_in" /> Also remove directories that were copied in
          </label>
        </fieldset>
      </SettingForm>
      <ul class="due" id="due" hidden />
    </Section>
  );
}

/** Versions and previews that can be restored. */
export function Removed() {
  const { keepRemovedMs = 0 } = useSite();
  return (
    <Section name="removed" title="Removed versions">
      <p class="count">
        {keepRemovedMs > 0
          ? `What is deleted or replaced can be restored for ${spanOf(keepRemovedMs)}.`
          : 'This server keeps nothing of what is deleted or replaced.'}
      </p>
      <Rows
        list="removed"
        acts={{ restore: 'Restore' }}
        none={keepRemovedMs > 0 ? 'Nothing can be restored now.' : undefined}
      />
    </Section>
  );
}

/** Deletes all versions, at the end of the page. */
export function DangerZone() {
  return (
    <Section name="danger" title="Danger zone">
      <p>
        Delete all versions. The project goes with the last one: links to its pages stop working. Previews
        stay.
      </p>
      <p class="buttons">
        <button class="button button-danger" id="delete-all" type="button">
          Delete all versions
        </button>
      </p>
    </Section>
  );
}
