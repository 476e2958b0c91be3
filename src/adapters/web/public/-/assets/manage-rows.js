// Rows of the lists of the page to manage a project: copies of a template.

/**
 * Fills a list with a row for each fact; without one, the sentence `no-<name>-rows` shows, where there is one.
 * @param name of the list, `<name>-rows`, and of the template, `<name>-row`
 * @param write gets the parts of a row and the buttons in it, by their names
 */
export const fillRows = (name, facts, write) => {
  const template = document.getElementById(`${name}-row`);
  const rows = facts.map((fact) => {
    const row = template.content.firstElementChild.cloneNode(true);
    const named = (kind) =>
      Object.fromEntries(
        [...row.querySelectorAll(`[data-${kind}]`)].map((each) => [each.dataset[kind], each]),
      );
    write(row, named('part'), named('act'), fact);
    return row;
  });
  document.getElementById(`${name}-rows`).replaceChildren(...rows);
  document.getElementById(`no-${name}-rows`)?.toggleAttribute('hidden', rows.length > 0);
};

/** Names a button for those who listen, who may meet it without its row: `Hide 1.0.0`. */
export const nameButton = (button, what, of) => {
  button.textContent = what;
  button.setAttribute('aria-label', `${what} ${of}`);
};
