import type { ComponentChildren } from 'preact';

interface FoundSectionProps {
  /** Address of the search, to which scripts add `q`. */
  readonly address: string;
  readonly isTitleShown?: boolean;
  readonly hidden?: boolean;
  /** What was found, in one sentence. */
  readonly sentence?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The place of found pages. `search-pages.js` fills it as people type, and screen readers are told the sentence. */
export function FoundSection({ address, isTitleShown, hidden, sentence, children }: FoundSectionProps) {
  return (
    <section
      class="found"
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
