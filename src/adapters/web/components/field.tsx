import type { ComponentChildren, VNode } from 'preact';

interface FieldProps {
  /** Id of the input. */
  readonly id: string;
  readonly label: string;
  /** Id of the error below the input; without one, errors of the field are shown elsewhere. */
  readonly error?: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

/** An input with its label, a hint, and the place of its error. */
export function Field({ id, label, error, hint, children }: FieldProps) {
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && <p class="field-error" id={error} hidden />}
    </div>
  );
}

/** Attributes that keep browsers from correcting or remembering what is typed. */
export const PLAIN = {
  autocapitalize: 'off',
  autocomplete: 'off',
  autocorrect: 'off',
  spellcheck: false,
} as const;

/**
 * Attributes of the input for a token. Its type is `text`, and the class `secret` shows dots: browsers offer to save
 * the content of a `password` field, whatever `autocomplete` says. They save it for the whole origin, where the script
 * of any hosted site could have it filled in. The page's script enables the input, in a secure context only.
 */
export const TOKEN_INPUT = {
  id: 'token',
  class: 'secret',
  type: 'text',
  ...PLAIN,
} as const;

/**
 * Note that the page takes no token over plain HTTP, where browsers ignore the `Cross-Origin-Opener-Policy` that
 * protects this page from hosted scripts. Hidden; the page's script shows it outside a secure context.
 */
export function PlainHttpNote() {
  return (
    <p class="note plain-http" id="plain-http" hidden>
      This page came over plain HTTP, so it takes no token: the network could read it, and so could the
      scripts of the sites that are hosted here. Open this page at an <code>https://</code> address, or
      publish from a terminal with <code>lectern push</code>. If there is no such address, ask whoever runs
      this server for HTTPS.
    </p>
  );
}

/** Hint of the field for a token: how long a typed one is kept. */
export const TOKEN_HINT = 'Stays in this page, and is gone when you leave it or load it again.';

interface SectionProps {
  /** Prefix of the ids: `<name>-heading`, `<name>-said`, `<name>-failure`. */
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** One part of the page to manage a project, with the places of what the server said last. */
export function Section({ name, title, children }: SectionProps) {
  return (
    <section class="managed" id={name} aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`}>{title}</h2>
      {children}
      <p class="done" id={`${name}-said`} role="status" tabindex={-1} />
      <p class="failure" id={`${name}-failure`} role="alert" />
    </section>
  );
}

interface SettingFormProps {
  readonly id: string;
  /** Words of the button that sends it. */
  readonly button: string;
  readonly children: ComponentChildren;
}

/** Fields that are sent together, by the script. */
export function SettingForm({ id, button, children }: SettingFormProps) {
  return (
    <form class="fields" id={id} autocomplete="off" novalidate>
      {children}
      <p class="buttons">
        <button class="button" type="submit">
          {button}
        </button>
      </p>
    </form>
  );
}

interface RowsProps {
  /** Prefix of the ids: `<list>-rows`, `<list>-row`. */
  readonly list: string;
  /** Shown as the name of a row. @default its text */
  readonly name?: VNode;
  /** Buttons of a row, by what they do; the script names those without words. */
  readonly acts: Readonly<Record<string, string>>;
  /** Sentence in place of an empty list. */
  readonly none?: string | undefined;
}

/** An empty list, and the template of its rows: name, facts and buttons. `manage-parts.js` fills the list. */
export function Rows({ list, name = <p class="managed-name" data-part="name" />, acts, none }: RowsProps) {
  return (
    <>
      {none !== undefined && (
        <p class="count" id={`no-${list}-rows`} hidden>
          {none}
        </p>
      )}
      <ul class="plain-list managed-rows" id={`${list}-rows`} />
      <template id={`${list}-row`}>
        <li class="managed-row">
          {name}
          <p class="count" data-part="facts" />
          <p class="buttons">
            {Object.entries(acts).map(([act, words]) => (
              <button class="button button-quiet" key={act} type="button" data-act={act}>
                {words}
              </button>
            ))}
          </p>
        </li>
      </template>
    </>
  );
}

/** The name of a row that leads to its site, and marks beside it; `to` names the section until the script knows the site. */
export function NameLink({ to }: { readonly to: string }) {
  return (
    <p class="managed-name">
      <a data-part="name" href={`#${to}-heading`}>
        Site
      </a>{' '}
      <span class="managed-marks" data-part="marks" />
    </p>
  );
}
