// The question before something is removed or changed for readers, as a dialog.

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
