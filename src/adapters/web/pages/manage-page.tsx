import type { PageModels } from '../../../application/index.js';
import { spanOf } from '../../../domain/index.js';
import { Field, PlainHttpNote, TOKEN_HINT, TOKEN_INPUT } from '../components/field.js';
import { Layout } from '../components/layout.js';
import {
  Aliases,
  Description,
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
    >
      <div
        class="manage with-token"
        id="manage"
        data-project={project}
        data-kept={keepRemovedMs > 0 ? spanOf(keepRemovedMs) : undefined}
      >
        <h1>
          Manage <bdi>{project}</bdi>
        </h1>
        <p class="lead">
          Describe the project, choose what readers see of it, and restore versions that were deleted or
          replaced. <a href={addresses.projectNamed(project)}>Project page</a>
        </p>
        <noscript>
          <p class="note">
            This page needs JavaScript, which is switched off here. The client does the same:{' '}
            <code>lectern help</code> lists its commands.
          </p>
        </noscript>
        <PlainHttpNote />
        <form class="unlock needs-script" id="unlock" autocomplete="off" novalidate>
          <Field id="token" label="Token" error="token-error" hint={`It needs allow_manage. ${TOKEN_HINT}`}>
            <input {...TOKEN_INPUT} required disabled aria-describedby="token-hint token-error" />
          </Field>
          <p class="buttons">
            <button class="button" id="send" type="submit" disabled>
              Continue
            </button>
          </p>
        </form>
        <div id="managed" hidden>
          <div class="managed-head">
            <p class="count" id="managed-with" tabindex={-1} />
            <button class="button button-quiet" id="lock" type="button">
              Use another token
            </button>
          </div>
          <p class="note" id="no-versions" hidden>
            This project has no versions now. Those that were deleted can be restored below.
          </p>
          <Description />
          <Aliases />
          <Versions />
          <Previews />
          <Retention />
          <Removed />
        </div>
      </div>
      <Question />
    </Layout>
  );
}

/** Asks before anything is removed, and for the sentence of a deprecated version. */
function Question() {
  return (
    <dialog class="question-dialog with-token" id="question" aria-labelledby="question-words">
      <form id="answer" autocomplete="off" novalidate>
        <p id="question-words" />
        <ul class="due" id="question-list" hidden />
        <div id="question-field" hidden>
          <Field id="sentence" label="Sentence for readers">
            <input id="sentence" type="text" maxlength={500} autocomplete="off" />
          </Field>
        </div>
        <p class="buttons">
          <button class="button" id="question-yes" type="submit" />
          <button class="button button-quiet" id="question-no" type="button">
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
