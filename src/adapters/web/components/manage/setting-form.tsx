import type { ComponentChildren } from 'preact';

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
