import { Fragment } from 'preact';

interface SnippetProps {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Stands for the server's address where only the reader's browser knows it: `copy.js` fills it in. Without scripts it
 * is what it looks like, a variable of the shell that the client reads as well.
 */
export const OWN_ADDRESS = '$LECTERN_URL';

/** Something to paste elsewhere. `copy.js` gives it a button. */
export function Snippet({ title, lines }: SnippetProps) {
  return (
    <figure class="snippet">
      <figcaption>{title}</figcaption>
      <pre data-copy={title}>
        <code>
          {lines
            .join('\n')
            .split(OWN_ADDRESS)
            .map((text, index) => (
              <Fragment key={index}>
                {index > 0 && <span data-own-address>{OWN_ADDRESS}</span>}
                {text}
              </Fragment>
            ))}
        </code>
      </pre>
    </figure>
  );
}
