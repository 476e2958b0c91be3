/**
 * Attributes of the input for a token. Its type is `text`, and the class `secret` shows dots: browsers offer to save
 * what is typed into a field of type `password`, whatever `autocomplete` says. They would save it for the whole origin,
 * where the script of any hosted site could have it filled in. A script enables it, in a secure context only.
 */
export const TOKEN_INPUT = {
  id: 'token',
  class: 'secret',
  type: 'text',
  autocapitalize: 'off',
  autocomplete: 'off',
  autocorrect: 'off',
  spellcheck: false,
} as const;

/**
 * Note that the page takes no token over plain HTTP. There browsers ignore `Cross-Origin-Opener-Policy`, which keeps
 * hosted scripts out of this page in a secure context. Hidden until the page's script finds that this is none.
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
