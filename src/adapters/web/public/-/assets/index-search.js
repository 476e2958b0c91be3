// The index: answers as people type, with what the server finds. Without this script the form asks the server.

const input = document.querySelector('#search');
const count = document.querySelector('#count');
const found = document.querySelector('#found');

let isAsking = false;

/** Address of the index with the text of the field as its search. */
const wanted = () => {
  const address = new URL(location.href);
  if (input.value.trim() === '') address.searchParams.delete('search');
  else address.searchParams.set('search', input.value);
  address.hash = '';
  return address.href;
};

const show = (html) => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const [newCount, newFound] = [page.querySelector('#count'), page.querySelector('#found')];
  if (newCount === null || newFound === null) return;
  count.replaceChildren(...newCount.childNodes);
  found.replaceChildren(...newFound.childNodes);
  found.toggleAttribute('data-whole', newFound.hasAttribute('data-whole'));
  document.title = page.title;
  found.dispatchEvent(new Event('found'));
};

/** Asks for one text at a time; the text that is in the field by the time of the answer is next. */
const search = async () => {
  if (isAsking) return;
  isAsking = true;
  try {
    while (wanted() !== location.href.replace(/#.*/s, '')) {
      const address = wanted();
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.status);
      show(await answer.text());
      // For reloads, bookmarks and the Back button.
      history.replaceState(history.state, '', address);
    }
  } catch {
    count.textContent = 'The server does not answer; press Enter to try again';
  } finally {
    isAsking = false;
  }
};

input.addEventListener('input', search);
input.form.addEventListener('submit', (event) => {
  const first = found.querySelector('.project-name');
  if (isAsking || input.value === '' || first === null || wanted() !== location.href) return;
  event.preventDefault();
  first.click();
});
// Text typed before this script loaded, or restored by the Back button.
search();
