// Gives everything that is there to be copied a button. Without this script people select and copy it themselves.

/** The server's address as this browser has it, for commands: nothing in it may mean something to a shell. */
const own = new URL('../..', import.meta.url).href.replace(/\/$/, '');
if (/^https?:\/\/[\w.:[\]-]+(?:\/[\w./~-]*)?$/.test(own)) {
  for (const element of document.querySelectorAll('[data-own-address]')) element.textContent = own;
}

const copy = async (element) => {
  // Over plain HTTP only the address of this machine counts as secure; elsewhere there is no clipboard.
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
