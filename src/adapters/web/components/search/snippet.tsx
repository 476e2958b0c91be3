import { Fragment } from 'preact';

/**
 * Placeholder for the server's address when only the browser knows it; `copy.js` replaces it. Without scripts it is a
 * valid shell variable, which the client also reads.
 */
export const OWN_ADDRESS = '$LECTERN_URL';

/** Text to copy and paste. `copy.js` adds the button. */
export function Snippet({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
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
