// The previews of a project.
import { ask } from './manage-question.js';
import { fillRows, nameButton } from './manage-rows.js';

/** Shows all previews, the newest first. */
export const showPreviews = ({ project, name, previews }, { change }) => {
  fillRows('preview', previews, (row, parts, buttons, preview) => {
    row.dataset.key = preview.name;
    parts.name.textContent = preview.name;
    parts.name.href = preview.url;
    const [published, expires] = [preview.published_at, preview.expires_at].map((time) => time?.slice(0, 10));
    const end = expires === undefined ? 'Does not expire' : `Expires ${expires}`;
    parts.facts.textContent = `Published ${published}. ${end}.`;
    nameButton(buttons.delete, 'Delete', `preview ${preview.name}`);
    buttons.delete.textContent = 'Delete';
    buttons.delete.addEventListener('click', async () => {
      const words = `Delete preview ${preview.name} of ${project}? It cannot be restored.`;
      if (!(await ask(words, { yes: 'Delete it' }))) return;
      change('previews', 'DELETE', `api/previews/${name}/${encodeURIComponent(preview.name)}`);
    });
  });
};
