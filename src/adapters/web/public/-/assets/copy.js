// Adds copy buttons to snippets. Without this script people select and copy the text themselves.

/** The server's address in this browser, for commands. Used only without characters that are special in a shell. */
const own = new URL('../..', import.meta.url).href.replace(/\/$/, '');
if (/^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?$/.test(own)) {
  for (const element of document.querySelectorAll('[data-own-address]')) element.textContent = own;
}

const copy = async (element) => {
  // Over plain HTTP there is no clipboard API, except on localhost.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(element.textContent);
  getSelection().selectAllChildren(element);
  if (!document.execCommand('copy')) throw new Error('the browser does not copy');
};

for (const element of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  const said = document.createElement('span');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${element.dataset.copy}`);
  said.className = 'copied';
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    said.textContent = await copy(element).then(
      () => 'Copied',
      () => 'Select it, and copy it yourself',
    );
    setTimeout(() => said.replaceChildren(), 2_000);
  });
  element.after(button, said);
}
