// Gives the versions of this project to themes that build their version selector from the data of the Read the Docs
// addons, in the same form and by the same event. See docs/switcher.md.

/** Base path of the server, with a `/` at the end. This script is in `-/`, one level down. */
const base = new URL('..', import.meta.url).pathname;
const [directory, ...rest] = location.pathname.slice(base.length).split('/');
const page = rest.join('/');

const data = async () => {
  const found = await fetch(`${base}-/switcher/${directory}.json`);
  if (!found.ok) return undefined;
  const { project, current } = await found.json();
  const query = new URLSearchParams({ format: 'readthedocs', version: current });
  const answer = await fetch(`${base}-/projects/${project}/versions.json?${query}`);
  return answer.ok ? answer.json() : undefined;
};

/** Makes addresses absolute, as themes expect, and lets each version's address lead to the current page. */
const withAddresses = ({ versions, ...rest }) => {
  const absolute = (version) => {
    const documentation = new URL(version.urls.documentation + page, location.href).href;
    return { ...version, urls: { ...version.urls, documentation } };
  };
  return {
    ...rest,
    versions: { current: absolute(versions.current), active: versions.active.map(absolute) },
  };
};

const given = await data();
if (given !== undefined) {
  const readyData = withAddresses(given);
  window.ReadTheDocsEventData = { data: () => readyData };
  document.dispatchEvent(
    new CustomEvent('readthedocs-addons-data-ready', { detail: window.ReadTheDocsEventData }),
  );
}
