import type { ComponentChildren } from 'preact';

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
