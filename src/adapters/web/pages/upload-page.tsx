import type { PageModels } from '../../../application/index.js';
import { spanOf } from '../../../domain/index.js';
import { Day } from '../components/day.js';
import { Field, PLAIN, PlainHttpNote, TokenField } from '../components/field.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { Snippet } from '../components/search/snippet.js';
import { uploadCommand } from '../help/help-examples.js';
import { asset, zipWriter } from '../public-files.js';

/**
 * `/-/upload`: a form to publish a zip or a folder. `upload.js` does the work and finds the elements by id. The form is
 * disabled until it runs, and in an insecure context, so that no browser submits it without the script.
 */
export function UploadPage({ address, recent }: PageModels['upload']) {
  const addresses = useAddresses();
  return (
    <Layout
      title="Upload"
      current="Upload"
      styles={['form', 'upload']}
      scripts={{ libraries: zipWriter, modules: ['upload', 'copy', 'times'].map(asset) }}
    >
      <div class="sides upload">
        <div>
          <h1>Upload</h1>
          <p class="lead">Publish a built site. It can be read as soon as the upload is done.</p>
          <noscript>
            <p class="note caution">
              Uploading from this page needs JavaScript, which is switched off here. The command of this page
              does the same.
            </p>
          </noscript>
          <PlainHttpNote />
          <Form />
          <Published />
        </div>
        <div class="stack upload-side">
          <Recent recent={recent} />
          <section aria-labelledby="terminal">
            <h2 id="terminal">From a terminal</h2>
            <p>
              The same, for scripts and for folders of any size.{' '}
              <a href={`${addresses.publishing}#client`}>Help</a> has the client and snippets for continuous
              integration.
            </p>
            <Snippet title="Upload with curl" lines={uploadCommand(address)} />
          </section>
        </div>
      </div>
    </Layout>
  );
}

/** The versions that were published last, for whoever wants to see that an upload is there. Nothing where there are none. */
function Recent({ recent }: Pick<PageModels['upload'], 'recent'>) {
  const addresses = useAddresses();
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Recently published</h2>
      <ul class="plain-list ruled versions">
        {recent.map(({ version, project, time }) => (
          <li class="version-line line ends" key={version.directoryName}>
            <span class="version-label line">
              <a class="quiet-link strong" href={addresses.site(version)}>
                <bdi>{project?.title}</bdi> {version.label}
              </a>
            </span>
            <Day date={time} age="minute" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Form() {
  const { keepRemovedMs = 0 } = useSite();
  return (
    <form
      class="apart needs-script"
      id="upload"
      autocomplete="off"
      novalidate
      data-kept={keepRemovedMs > 0 ? spanOf(keepRemovedMs) : undefined}
    >
      <fieldset class="stack upload-fields" id="fields" disabled>
        <legend class="visually-hidden">What to publish</legend>
        <Choice />
        <div class="stack upload-names">
          <Name id="project" label="Project" placeholder="my-project" />
          <Name id="version" label="Version" placeholder="1.0.0" />
          <p class="field-error" id="names-error" hidden />
        </div>
        <TokenField hasLock />
      </fieldset>
      <p class="note wrong failure" id="failure" role="alert" />
      <div class="apart" id="progress" hidden>
        <progress id="bar" aria-label="Progress of the upload" max={1} value={0} />
        <p class="tally" id="figures" aria-hidden="true" />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced before its question */}
      <div class="note caution" id="replace" role="group" aria-labelledby="replace-question" hidden>
        <p id="replace-question" />
        <p class="buttons above-3">
          <button class="button" id="replace-yes" type="button">
            Replace it
          </button>
          <button class="button" id="replace-no" type="button">
            Keep it
          </button>
        </p>
      </div>
      <p class="visually-hidden" id="said" role="status" />
      <p class="buttons">
        <button class="button button-primary" id="send" type="submit" disabled>
          Upload
        </button>
        <button class="button" id="cancel" type="button" hidden>
          Cancel
        </button>
      </p>
    </form>
  );
}

/** Field for a half of the archive's name. */
function Name({ id, label, placeholder }: Readonly<Record<'id' | 'label' | 'placeholder', string>>) {
  return (
    <Field id={id} label={label} error={`${id}-error`}>
      <input
        id={id}
        type="text"
        placeholder={placeholder}
        required
        {...PLAIN}
        aria-describedby={`${id}-error names-error`}
      />
    </Field>
  );
}

/** Drop area with buttons for keyboards; afterwards the chosen archive or folder. */
function Choice() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be announced twice
    <div id="choice" role="group" aria-labelledby="choice-label">
      <p class="field-label" id="choice-label">
        Site
      </p>
      <div class="stack drop" id="drop">
        <svg class="icon drop-icon" viewBox="0 0 24 24" width="32" height="32" aria-hidden="true">
          <path d="M12 15V4m0 0L7.5 8.5M12 4l4.5 4.5M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" />
        </svg>
        <p class="strong">Drop a zip or a folder here</p>
        <p class="buttons drop-buttons">
          <Picker id="archive" label="Choose a zip" accept=".zip,application/zip" />
          <Picker id="folder" label="Choose a folder" webkitdirectory />
        </p>
      </div>
      <div class="chosen" id="chosen" hidden>
        <p class="chosen-words">
          <bdi class="strong" id="chosen-name" />
          <span class="tally" id="chosen-facts" />
        </p>
        <button class="button" id="discard" type="button">
          Change<span class="visually-hidden"> what to upload</span>
        </button>
      </div>
      <p class="field-hint small" id="choice-hint" hidden />
      <p class="field-error" id="choice-error" hidden />
    </div>
  );
}

interface PickerProps {
  readonly id: string;
  readonly label: string;
  readonly accept?: string;
  readonly webkitdirectory?: boolean;
}

function Picker({ id, label, ...input }: PickerProps) {
  return (
    <span class="picker">
      <input
        class="visually-hidden"
        id={id}
        type="file"
        aria-describedby="choice-hint choice-error"
        {...input}
      />
      <label class="button" for={id}>
        {label}
      </label>
    </span>
  );
}

function Published() {
  const addresses = useAddresses();
  return (
    <section class="note published" id="published" aria-labelledby="published-title" hidden>
      <h2 id="published-title" tabindex={-1}>
        Published
      </h2>
      <p id="message" />
      <ul class="warnings" id="warnings" hidden />
      <p>
        <code id="address" data-copy="the address" />
      </p>
      <p class="buttons">
        <a class="button" id="read" href={addresses.projects}>
          Read it
        </a>
        <a class="button" id="project-page" href={addresses.projects}>
          Project page
        </a>
        <a class="button" id="manage" href={addresses.projects}>
          Manage
        </a>
        <button class="button" id="again" type="button">
          Upload another
        </button>
      </p>
    </section>
  );
}
