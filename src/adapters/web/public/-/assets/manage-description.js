// The form that describes a project.

const form = document.getElementById('about-form');

/** Writes what is set into the fields, and what readers see without it beside them. */
export const fillDescription = ({ name, facts }, { change }) => {
  const { about = {} } = facts.settings;
  const seen = { ...facts, title: facts.title ?? facts.name };
  for (const field of form.querySelectorAll('input')) {
    field.value = [about[field.name] ?? []].flat().join(', ');
    field.placeholder = about[field.name] === undefined ? [seen[field.name] ?? []].flat().join(', ') : '';
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    change('about', 'PUT', `api/projects/${name}`, bodyOf(new FormData(form)), { fill: true });
  };
};

const bodyOf = (fields) => {
  const texts = [...fields].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value !== '');
  return Object.fromEntries(texts.map(([name, value]) => [name, name === 'tags' ? tagsIn(value) : value]));
};
const tagsIn = (text) => text.split(',').flatMap((tag) => tag.trim() || []);
