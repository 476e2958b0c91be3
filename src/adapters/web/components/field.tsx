import type { ComponentChildren, VNode } from 'preact';
import { useSite } from './page-context.js';

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
        <p class="field-hint small" id={`${id}-hint`}>
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
 * Note that the page takes no token over plain HTTP, where browsers ignore the `Cross-Origin-Opener-Policy` that
 * protects this page from hosted scripts. Hidden; the page's script shows it outside a secure context.
 */
export function PlainHttpNote() {
  return (
    <p class="note caution" id="plain-http" hidden>
      This page came over plain HTTP, so it takes no token: the network could read it, and so could the
      scripts of the sites that are hosted here. Open this page at an <code>https://</code> address, or
      publish from a terminal with <code>lectern push</code>. If there is no such address, ask whoever runs
      this server for HTTPS.
    </p>
  );
}

interface TokenFieldProps {
  /** Right that the token needs, if it is always the same. */
  readonly right?: string;
  readonly disabled?: boolean;
  /** Whether the button that forgets a kept token is beside the box, hidden. */
  readonly hasLock?: boolean;
}

/**
 * The field for a token. Its type is `text`, and the class `secret` shows dots: browsers offer to save the content of a
 * `password` field, whatever `autocomplete` says. They save it for the whole origin, where the script of any hosted site
 * could have it filled in. The page's script enables the field, in a secure context only. Where no hosted site shares the
 * origin, a box offers to keep the token for the tab (`server.js`).
 */
export function TokenField({ right, disabled, hasLock = false }: TokenFieldProps) {
  const { hasOwnOrigin = false } = useSite();
  const needs = right === undefined ? '' : `Use a token with ${right}. `;
  const end = hasOwnOrigin
    ? 'It is forgotten when you leave this page or, if you keep it, when you lock it or close the tab.'
    : 'It is forgotten when you leave this page.';
  return (
    <Field id="token" label="Token" error="token-error" hint={needs + end}>
      <input
        id="token"
        class="secret"
        type="text"
        {...PLAIN}
        required
        disabled={disabled}
        aria-describedby="token-hint token-error"
      />
      {hasOwnOrigin && (
        <div class="line middle ends token-keeping">
          <label class="choice">
            <input type="checkbox" id="keep" disabled={disabled} /> Keep the token in this tab
          </label>
          {hasLock && (
            <button class="button" id="lock" type="button" hidden>
              Lock
            </button>
          )}
        </div>
      )}
    </Field>
  );
}

interface SectionProps {
  /** Prefix of the ids: `<name>-heading`, `<name>-tally`, `<name>-said`, `<name>-failure`. */
  readonly name: string;
  readonly title: string;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

/** A section of the page to manage a project, which folds, with places for the server's last success and failure. */
export function Section({ name, title, open, children }: SectionProps) {
  return (
    <details class="managed" id={name} open={open}>
      <summary>
        <h2 id={`${name}-heading`}>{title}</h2> <span class="tally" id={`${name}-tally`} />
      </summary>
      <div class="managed-content">
        {children}
        <p class="note line middle good done" id={`${name}-said`} role="status" tabindex={-1} />
        <p class="note wrong failure" id={`${name}-failure`} role="alert" />
      </div>
    </details>
  );
}

interface SettingFormProps {
  readonly id: string;
  /** Object of `Save`, for those who do not see the form. */
  readonly saves: string;
  /** Whether the page is for this form most of all. */
  readonly isMain?: boolean;
  readonly hint?: string;
  /** Buttons beside the one that saves. */
  readonly buttons?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields that are saved together, by the script: below them a hint, `<id>-hint`, and the button at the start of the last row. */
export function SettingForm({ id, saves, isMain = false, hint, buttons, children }: SettingFormProps) {
  return (
    <form class="fields stack" id={id} autocomplete="off" novalidate>
      {children}
      <div class="form-end">
        <p class="field-hint small" id={`${id}-hint`}>
          {hint}
        </p>
        <p class="buttons above-3">
          <button class={isMain ? 'button button-primary' : 'button'} type="submit">
            Save<span class="visually-hidden"> {saves}</span>
          </button>
          {buttons}
        </p>
      </div>
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
export function Rows({ list, name = <strong data-part="name" />, acts, none }: RowsProps) {
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
          <p class="version-label line">{name}</p>
          <p class="version-facts line small" data-part="facts" />
          <p class="buttons">
            {Object.entries(acts).map(([act, words]) => (
              <button
                class={act === 'delete' ? 'button button-danger' : 'button'}
                key={act}
                type="button"
                data-act={act}
              >
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
    <>
      <a class="quiet-link strong" data-part="name" href={`#${to}-heading`}>
        Site
      </a>{' '}
      <span class="line managed-marks" data-part="marks" />
    </>
  );
}
