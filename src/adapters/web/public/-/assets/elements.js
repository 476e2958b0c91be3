// Small tools of the modules of own pages.

export const at = (id) => document.getElementById(id);

/** Creates an element. Untrusted values only become text or attributes. */
export const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

/** Whether a key goes into a field. */
export const isTyping = ({ target }) =>
  target instanceof Element && target.matches('input, textarea, select');

/**
 * The links of a list that can be seen, and what opens further ones, for the arrow keys; none of null. Filters and the ways out of
 * them are left out: the first stop is the best result.
 */
export const stopsIn = (list) =>
  [...(list?.querySelectorAll('a, summary') ?? [])].filter(
    (each) =>
      each.closest('.filters, .found-facets') === null &&
      (each.matches('summary') || each.closest('details:not([open])') === null),
  );
