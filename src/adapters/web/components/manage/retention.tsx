import { MAX_IN_RULE, NUMBER_RULES, type RetentionRule } from '../../../../domain/index.js';
import { Field } from '../field.js';
import { Section } from './section.js';

const LABELS = {
  keep_per_minor: 'Releases to keep of each minor version',
  keep_pre_releases: 'Pre-releases to keep',
  pre_release_days: 'Days to keep a pre-release after its final version',
  max_age_days: 'Days to keep any version',
} as const satisfies Record<RetentionRule, string>;

/** Rules by which versions are removed: those of the server, or those of the project. */
export function Retention() {
  return (
    <Section name="retention" title="Retention">
      <p class="count">
        Rules remove old versions by themselves. The latest version is never removed, nor is one that an alias
        stands for.
      </p>
      <form id="retention-form" autocomplete="off" novalidate>
        <fieldset class="choices">
          <legend class="field-label">Rules</legend>
          <label>
            <input type="radio" name="whose" value="server" /> Those of the server
          </label>
          <label>
            <input type="radio" name="whose" value="project" /> Those of this project
          </label>
        </fieldset>
        <fieldset class="fields" id="rules">
          <legend class="visually-hidden">Rules of this project</legend>
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
          <label>
            <input type="checkbox" name="copied_in" /> Remove copied-in directories, too
          </label>
        </fieldset>
        <p class="buttons">
          <button class="button" type="submit">
            Save the rules
          </button>
          <button class="button button-quiet" id="dry-run" type="button">
            Show what they remove
          </button>
        </p>
      </form>
      <ul class="due" id="due" hidden />
    </Section>
  );
}
