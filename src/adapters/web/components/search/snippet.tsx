import { type ComponentChildren, Fragment } from 'preact';

/**
 * Placeholder for the server's address when only the browser knows it; `copy.js` replaces it. Without scripts it is a
 * valid shell variable, which the client also reads.
 */
export const OWN_ADDRESS = '$LECTERN_URL';

/** Text to copy and paste, as it is. `copy.js` adds the button. */
export function Copyable({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <figure class="card snippet">
      <figcaption class="small">{title}</figcaption>
      <pre data-copy={title}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}

/** Lines to copy and paste, with the address of the server in the place of `OWN_ADDRESS`. */
export function Snippet({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <Copyable title={title}>
      {lines
        .join('\n')
        .split(OWN_ADDRESS)
        .map((text, index) => (
          <Fragment key={index}>
            {index > 0 && <span data-own-address>{OWN_ADDRESS}</span>}
            {text}
          </Fragment>
        ))}
    </Copyable>
  );
}
