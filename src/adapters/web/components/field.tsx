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
