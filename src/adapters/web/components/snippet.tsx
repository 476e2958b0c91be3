interface SnippetProps {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Something to paste elsewhere. `copy.js` gives it a button. */
export function Snippet({ title, lines }: SnippetProps) {
  return (
    <figure class="snippet">
      <figcaption>{title}</figcaption>
      <pre data-copy={title}>
        <code>{lines.join('\n')}</code>
      </pre>
    </figure>
  );
}
