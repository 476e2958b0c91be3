// Lets the link of a found page lead to the words that were found: https://wicg.github.io/scroll-to-text-fragment/

/** Words before and after the found ones, which tell this place from others of the page. */
const MAX_CONTEXT = 2;

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
export const linkToWords = (link, snippet) => {
  if (!('fragmentDirective' in document)) return;
  const runs = [...snippet.childNodes].map((node) => ({
    text: node.textContent,
    isMarked: node.nodeName === 'MARK',
  }));
  const directive = textDirective(runs);
  if (directive !== undefined) link.href = `${link.href}${link.hash === '' ? '#' : ''}:~:text=${directive}`;
};
