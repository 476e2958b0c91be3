// Search of pages as people type: asks /-/search for the part with its results, and shows it in a section of a page.

/** Pause after a key before the server is asked, in milliseconds. */
const PAUSE_MS = 150;
/** Time after which people are told to wait. */
const SLOW_MS = 600;
/** Pause before the search is repeated while the server reads the pages for the first time. */
const AGAIN_MS = 2_000;

/** Words before and after the found ones, which tell this place from others of the page. */
const MAX_CONTEXT = 2;

const BUSY = 'The server is busy with other searches. Try again in a moment.';
const NOT_THERE = 'There is nothing to search here.';
const FAILED = 'The search failed. Try again in a moment.';
const UNREACHABLE = 'The server does not answer. Try again in a moment.';

/** Attributes of a field whose text `findPages` looks for. */
export const searchField = (placeholder, label) => ({
  type: 'search',
  maxlength: '200',
  placeholder,
  'aria-label': label,
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: 'false',
});

/** Lets each link of a list lead to the words of its snippet. */
export const linkAllToWords = (list) => {
  for (const hit of list.querySelectorAll('.hit')) {
    linkToWords(hit.querySelector('.hit-link'), hit.querySelector('.hit-snippet bdi'));
  }
};

/**
 * Shows the pages that a field's text finds.
 * @param section with the elements `.found-sentence` and `.found-list`, and the search's address as `data-address`
 * @param onShown called with the list after it has changed
 * @param favourites returns the names of projects whose pages come first among equal ones
 * @returns `search`, which asks at once, and `isCurrent`, whether the list shows what is in the field
 */
export const findPages = ({ input, section, onShown = () => {}, favourites = () => [] }) => {
  const sentence = section.querySelector('.found-sentence');
  const list = section.querySelector('.found-list');
  let shown = '';
  let timers = [];
  let running;

  const stop = () => {
    running?.abort();
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };

  const show = (said, nodes = []) => {
    sentence.replaceChildren(...said);
    list.replaceChildren(...nodes);
    list.removeAttribute('aria-busy');
    onShown(list);
  };

  const ask = async (query, signal) => {
    const address = new URL(section.dataset.address, location.href);
    address.searchParams.set('q', query);
    address.searchParams.set('part', 'true');
    const liked = favourites();
    if (liked.length > 0) address.searchParams.set('favourites', liked.join(','));
    let answer;
    let html;
    try {
      answer = await fetch(address, { signal });
      html = await answer.text();
    } catch {
      return signal.aborted ? undefined : { said: [UNREACHABLE] };
    }
    if (!answer.ok) return { said: [{ 404: NOT_THERE, 503: BUSY }[answer.status] ?? FAILED] };
    const page = new DOMParser().parseFromString(html, 'text/html');
    const found = page.querySelector('#found-list');
    // A proxy in front, whose login has ended, answers with a page of its own.
    if (found === null) return { said: [FAILED] };
    linkAllToWords(found);
    return {
      said: page.querySelector('#found-sentence').childNodes,
      nodes: [...found.childNodes],
      isUnread: found.querySelector('[data-again]') !== null,
    };
  };

  const search = async () => {
    stop();
    const query = input.value.trim();
    section.hidden = query === '';
    if (query === '') {
      shown = query;
      show([]);
      return;
    }
    running = new AbortController();
    const { signal } = running;
    list.setAttribute('aria-busy', 'true');
    const slow = setTimeout(() => {
      sentence.textContent = 'Searching…';
    }, SLOW_MS);
    timers.push(slow);
    const answer = await ask(query, signal);
    clearTimeout(slow);
    if (answer === undefined || signal.aborted) return;
    shown = query;
    show(answer.said, answer.nodes);
    if (answer.isUnread) timers.push(setTimeout(search, AGAIN_MS));
  };

  input.addEventListener('input', () => {
    stop();
    section.hidden = input.value.trim() === '';
    if (section.hidden) search();
    else timers.push(setTimeout(search, PAUSE_MS));
  });

  return {
    search,
    isCurrent: () => shown === input.value.trim() && !list.hasAttribute('aria-busy'),
  };
};

const wordsOf = (text) => text.split(/[\s…]+/).filter((word) => word !== '');

/** Percent-encodes a text for a text directive, in which `-`, `,` and `&` are syntax. */
const encoded = (text) => encodeURIComponent(text).replaceAll('-', '%2D');

/**
 * Returns the directive for the first marked words of a snippet. Undefined without any.
 * @param runs the parts of the snippet, as `{ text, isMarked }`
 */
export const textDirective = (runs) => {
  const first = runs.findIndex(({ isMarked }) => isMarked);
  if (first === -1) return undefined;
  let last = first;
  while (runs[last + 1]?.text.trim() === '' && runs[last + 2]?.isMarked) last += 2;
  const textOf = (from, to) =>
    runs
      .slice(from, to)
      .map(({ text }) => text)
      .join('');
  const before = wordsOf(textOf(0, first)).slice(-MAX_CONTEXT).join(' ');
  const after = wordsOf(textOf(last + 1))
    .slice(0, MAX_CONTEXT)
    .join(' ');
  try {
    return [
      ...(before === '' ? [] : [`${encoded(before)}-`]),
      encoded(textOf(first, last + 1)),
      ...(after === '' ? [] : [`-${encoded(after)}`]),
    ].join(',');
  } catch {
    // Half of a surrogate pair cannot be encoded.
    return undefined;
  }
};

/** Adds the directive to a link. A browser that does not find the words goes to the link's anchor. */
const linkToWords = (link, snippet) => {
  if (!('fragmentDirective' in document)) return;
  const runs = [...snippet.childNodes].map((node) => ({
    text: node.textContent,
    isMarked: node.nodeName === 'MARK',
  }));
  const directive = textDirective(runs);
  if (directive !== undefined) link.href = `${link.href}${link.hash === '' ? '#' : ''}:~:text=${directive}`;
};
