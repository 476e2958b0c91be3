import type { ComponentChildren } from 'preact';

interface FoldProps {
  /** Phrases, or one heading. */
  readonly title: ComponentChildren;
  /** Anchor. Browsers unfold what a fragment leads into, so the contents have it. */
  readonly id?: string | undefined;
  readonly children: ComponentChildren;
}

/** A title that shows or hides what is below it. */
export function Fold({ title, id, children }: FoldProps) {
  return (
    <details class="fold">
      <summary>{title}</summary>
      <div class="fold-content" id={id}>
        {children}
      </div>
    </details>
  );
}
