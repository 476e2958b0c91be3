// Parts of the page to manage a project: the rows of its lists, and the question before something is changed for readers.
import { at, element } from './elements.js';

const dialog = at('question');

/**
 * Asks a question.
 * @param options.yes text of the button that agrees
 * @param options.isDanger whether to agree deletes something
 * @param options.list lines below the question
 * @param options.sentence text of a field, to change it; without it and `name` there is no field
 * @param options.name text that has to be typed into the field
 * @returns what was typed, or `true`; undefined when it was cancelled
 */
export const ask = (words, { yes, isDanger = false, list = [], sentence, name }) =>
  new Promise((resolve) => {
    const [field, agree] = [at('typed'), at('question-yes')];
    const hasField = sentence !== undefined || name !== undefined;
    at('question-words').textContent = words;
    agree.textContent = yes;
    agree.classList.toggle('button-danger', isDanger);
    at('question-list').replaceChildren(...list.map(itemOf));
    at('question-list').hidden = list.length === 0;
    at('question-field').hidden = !hasField;
    field.labels[0].textContent = name === undefined ? 'Sentence for readers' : `Type ${name} to confirm`;
    field.value = sentence ?? '';
    field.oninput = () => {
      const typed = field.value.trim();
      agree.disabled = hasField && (name === undefined ? typed === '' : typed !== name);
    };
    field.oninput();
    let answer;
    at('answer').onsubmit = (event) => {
      event.preventDefault();
      answer = hasField ? field.value.trim() : true;
      dialog.close();
    };
    at('question-no').onclick = () => dialog.close();
    dialog.onclose = () => resolve(answer);
    dialog.showModal();
    (hasField ? field : at('question-no')).focus();
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

/** Shows a number or a word beside the heading of a section, which tells what is in it while it is folded. */
export const tell = (section, text) => {
  at(`${section}-tally`).textContent = text;
};

/** Gives a button its work, and a name for those who listen, who may meet it without its row: `Hide 1.0.0`. */
export const setUpButton = (button, what, of, work) => {
  button.addEventListener('click', work);
  button.textContent = what;
  button.setAttribute('aria-label', `${what} ${of}`);
};
