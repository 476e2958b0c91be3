// Adds copy buttons to snippets. Without this script people select and copy the text themselves.

import { element } from './elements.js';

/** The server's address in this browser, for commands. Used only without characters that are special in a shell. */
const own = new URL('../..', import.meta.url).href.replace(/\/$/, '');
if (/^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?$/.test(own)) {
  for (const place of document.querySelectorAll('[data-own-address]')) place.textContent = own;
}

const copy = async (text) => {
  // Over plain HTTP there is no clipboard API, except on localhost.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text.textContent);
  getSelection().selectAllChildren(text);
  if (!document.execCommand('copy')) throw new Error('the browser does not copy');
};

for (const text of document.querySelectorAll('[data-copy]')) {
  const label = `Copy: ${text.dataset.copy}`;
  const button = element('button', { type: 'button', class: 'quiet copy', 'aria-label': label }, 'Copy');
  const said = element('span', { class: 'copied', role: 'status' });
  button.addEventListener('click', async () => {
    said.textContent = await copy(text).then(
      () => 'Copied',
      () => 'Select it, and copy it yourself',
    );
    setTimeout(() => said.replaceChildren(), 2_000);
  });
  text.after(button, said);
}
