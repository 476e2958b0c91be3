import type { PageModels } from '../../../application/index.js';
import { spanOf } from '../../../domain/index.js';
import { Field, PLAIN, PlainHttpNote, TokenField } from '../components/field.js';
import { Layout } from '../components/layout.js';
import {
  Aliases,
  DangerZone,
  Details,
  Previews,
  Removed,
  Retention,
  Versions,
} from '../components/manage-sections.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { asset } from '../public-files.js';

/**
 * `/-/manage/<project>`: forms for all that can be set for a project. The page itself says nothing about the project:
 * `manage.js` asks the API with the token that is typed, and fills the forms and lists. They are disabled until it runs,
 * and in an insecure context.
 */
export function ManagePage({ project }: PageModels['manage']) {
  const addresses = useAddresses();
  const { keepRemovedMs = 0 } = useSite();
  return (
    <Layout
      title={`Manage ${project}`}
      styles={['form', 'manage']}
      scripts={{ modules: ['manage'].map(asset) }}
      project={{ directoryName: project, title: project }}
    >
      <div
        class="manage"
        id="manage"
        data-project={project}
        data-kept={keepRemovedMs > 0 ? spanOf(keepRemovedMs) : undefined}
      >
        <h1>
          Manage <bdi>{project}</bdi>
        </h1>
        <p class="lead">
          Settings and versions of a project. <a href={addresses.projectNamed(project)}>Project page</a>
        </p>
        <noscript>
          <p class="note caution">
            This page needs JavaScript, which is switched off here. The client does the same:{' '}
            <code>lectern help</code> lists its commands.
          </p>
        </noscript>
        <PlainHttpNote />
        <form class="measure apart needs-script" id="unlock" autocomplete="off" novalidate>
          <TokenField right="allow_manage" disabled />
          <p class="buttons">
            <button class="button button-primary" id="send" type="submit" disabled>
              Continue
            </button>
          </p>
        </form>
        <div id="managed" hidden>
          <div class="line middle managed-head">
            <p class="count" id="managed-with" tabindex={-1} />
            <button class="button" id="lock" type="button">
              Lock
            </button>
          </div>
          <p class="note caution" id="no-versions" hidden>
            This project has no versions now. Those that were deleted can be restored below.
          </p>
          <div class="card panel">
            <Details />
            <Versions />
            <Aliases />
            <Previews />
            <Retention />
            <Removed />
            <DangerZone />
          </div>
        </div>
      </div>
      <Question />
    </Layout>
  );
}

/** Asks before anything is removed, for the name of a version that is deleted, and for the sentence of a deprecated one. */
function Question() {
  return (
    <dialog class="question-dialog" id="question" aria-labelledby="question-words">
      <form id="answer" autocomplete="off" novalidate>
        <p id="question-words" />
        <ul class="due above-4" id="question-list" hidden />
        <div class="above-4" id="question-field" hidden>
          <Field id="typed" label="Sentence for readers">
            <input id="typed" type="text" maxlength={500} {...PLAIN} />
          </Field>
        </div>
        <p class="buttons">
          <button class="button" id="question-yes" type="submit" />
          <button class="button" id="question-no" type="button">
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
