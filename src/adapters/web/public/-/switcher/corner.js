// The corner of the window that the switcher is in: the reader's choice, else the project's, else the bottom right.

import { make, stored } from './elements.js';

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];

/** Puts `box` into its corner, and returns the buttons that move it. */
export const cornersOf = ({ project, corner }, box) => {
  // Each project's pages have their controls elsewhere.
  const key = `lectern-corner:${project}`;
  const chosen = stored((storage) => storage.getItem(key));
  const buttons = CORNERS.map((name) =>
    make('button', {
      type: 'button',
      class: 'corner',
      'data-corner': name,
      'aria-label': `Move to the ${name.replace('-', ' ')}`,
      title: `Move to the ${name.replace('-', ' ')}`,
    }),
  );
  const put = (wanted) => {
    box.dataset.corner = wanted;
    for (const button of buttons) button.setAttribute('aria-pressed', button.dataset.corner === wanted);
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      put(button.dataset.corner);
      stored((storage) => storage.setItem(key, button.dataset.corner));
    });
  }
  put([chosen, corner].find((name) => CORNERS.includes(name)) ?? 'bottom-right');
  return make(
    'div',
    { class: 'corners', role: 'group', 'aria-labelledby': 'corners' },
    make('span', { id: 'corners' }, 'Corner of this menu'),
    ...buttons,
  );
};
