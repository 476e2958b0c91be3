// The index: answers as people type, with what the server finds. Without this script the form asks the server.

/** Pause after a key before the server is asked, in milliseconds. */
const PAUSE_MS = 150;

const input = document.querySelector('#search');
const count = document.querySelector('#count');
const bar = document.querySelector('#bar');
const found = document.querySelector('#found');

let timer;
let running;

const shown = () => location.href.replace(/#.*/s, '');

/** Address of the index with the text of the field as its search. */
const wanted = () => {
  const address = new URL(shown());
  const { searchParams } = address;
  if ((searchParams.get('search') ?? '') === input.value) return address.href;
  // All projects were asked for with another text.
  searchParams.delete('all');
  if (input.value.trim() === '') searchParams.delete('search');
  else searchParams.set('search', input.value);
  return address.href;
};

const show = (html) => {
  const part = new DOMParser().parseFromString(html, 'text/html');
  const [newCount, newBar, newFound] = ['#count', '#bar', '#found'].map((each) => part.querySelector(each));
  if (newFound === null) return;
  count.replaceChildren(...newCount.childNodes);
  bar.replaceChildren(...newBar.childNodes);
  found.replaceChildren(...newFound.childNodes);
  found.toggleAttribute('data-whole', newFound.hasAttribute('data-whole'));
  document.title = part.title;
  found.dispatchEvent(new Event('found', { bubbles: true }));
};

const stop = () => {
  clearTimeout(timer);
  running?.abort();
};

/** Asks for what is in the field now; a request for what was there before is aborted. */
const search = async () => {
  stop();
  const address = wanted();
  if (address === shown()) return;
  running = new AbortController();
  const { signal } = running;
  try {
    const part = new URL(address);
    part.searchParams.set('part', 'true');
    const answer = await fetch(part, { signal });
    if (!answer.ok) throw new Error(answer.status);
    show(await answer.text());
    // For reloads, bookmarks and the Back button.
    history.replaceState(history.state, '', address);
  } catch {
    if (!signal.aborted) count.textContent = 'The server does not answer; press Enter to try again';
  }
};

input.addEventListener('input', () => {
  stop();
  timer = setTimeout(search, PAUSE_MS);
});
input.form.addEventListener('submit', (event) => {
  const first = found.querySelector('.project-name');
  if (input.value === '' || first === null || wanted() !== shown()) return;
  event.preventDefault();
  first.click();
});
// Text typed before this script loaded, or restored by the Back button.
search();
