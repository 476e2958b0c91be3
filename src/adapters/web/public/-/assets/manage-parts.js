// Parts of the page to manage a project: the rows of its lists, and the question before something is changed for readers.
import { at, element } from './elements.js';

const dialog = at('question');

/**
 * Asks a question.
 * @param options.yes text of the button that agrees
 * @param options.list lines below the question
 * @param options.sentence text of a field; without it there is none
 * @returns what was typed, or `true`; undefined when it was cancelled
 */
export const ask = (words, { yes, list = [], sentence }) =>
  new Promise((resolve) => {
    at('question-words').textContent = words;
    at('question-yes').textContent = yes;
    at('question-list').replaceChildren(...list.map(itemOf));
    at('question-list').hidden = list.length === 0;
    at('question-field').hidden = sentence === undefined;
    at('sentence').value = sentence ?? '';
    let answer;
    at('answer').onsubmit = (event) => {
      event.preventDefault();
      if (sentence !== undefined && at('sentence').value.trim() === '') return at('sentence').focus();
      answer = sentence === undefined ? true : at('sentence').value.trim();
      dialog.close();
    };
    at('question-no').onclick = () => dialog.close();
    dialog.onclose = () => resolve(answer);
    dialog.showModal();
    at(sentence === undefined ? 'question-no' : 'sentence').focus();
  });

export const itemOf = (text) => element('li', {}, text);

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

/** Gives a button its work, and a name for those who listen, who may meet it without its row: `Hide 1.0.0`. */
export const setUpButton = (button, what, of, work) => {
  button.addEventListener('click', work);
  button.textContent = what;
  button.setAttribute('aria-label', `${what} ${of}`);
};
