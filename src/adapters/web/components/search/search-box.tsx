import type { ComponentChildren } from 'preact';
import { MAX_TERM_CHARACTERS } from '../../../../domain/index.js';
import { Icon } from '../icon.js';

interface SearchBoxProps {
  /** Address that answers the form without scripts. */
  readonly action: string;
  /** Name of the parameter, and id of the field. */
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  /** Whether it is the field that the page is about. */
  readonly isLarge?: boolean;
  /** Further parameters. */
  readonly parameters?: Readonly<Record<string, string | true | undefined>>;
}

/** Form with one field to search. It works without scripts; with them it searches as people type. */
export function SearchBox({
  action,
  name,
  value,
  label,
  placeholder,
  isLarge,
  parameters = {},
}: SearchBoxProps) {
  return (
    <search>
      <form class={isLarge ? 'search-form search-large' : 'search-form'} action={action} method="get">
        <label class="visually-hidden" for={name}>
          {label}
        </label>
        <input
          id={name}
          name={name}
          type="search"
          maxlength={MAX_TERM_CHARACTERS}
          value={value}
          placeholder={placeholder}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-keyshortcuts="/"
        />
        <button class="quiet search-go" type="submit" aria-label="Search">
          <Icon name="search" />
        </button>
        <span class="key" aria-hidden="true">
          /
        </span>
        {Object.entries(parameters).map(
          ([key, each]) =>
            each !== undefined && <input key={key} type="hidden" name={key} value={String(each)} />,
        )}
      </form>
    </search>
  );
}

interface FoundSectionProps {
  /** Address of the search, to which scripts add `q`. */
  readonly address: string;
  readonly isTitleShown?: boolean;
  readonly hidden?: boolean;
  /** Sentence about the result of the search. */
  readonly sentence?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The place of found pages. `search-pages.js` fills it as people type, and screen readers are told the sentence. */
export function FoundSection({ address, isTitleShown, hidden, sentence, children }: FoundSectionProps) {
  return (
    <section
      class="found apart"
      id="found-pages"
      aria-labelledby="found-title"
      data-address={address}
      hidden={hidden}
    >
      <h2 class={isTitleShown === false ? 'visually-hidden' : undefined} id="found-title">
        Pages
      </h2>
      <p class="count found-sentence" id="found-sentence" role="status">
        {sentence}
      </p>
      <div class="found-list" id="found-list">
        {children}
      </div>
    </section>
  );
}
