// Gives the versions of this project to themes that build their version selector from the data of the Read the Docs
// addons, in the same form and by the same event. See docs/switcher.md.

import { base, factsHere, pagePath } from './switcher/page.js';

const data = async () => {
  const facts = await factsHere();
  if (facts === undefined) return undefined;
  const { project, current } = facts;
  const query = new URLSearchParams({ format: 'readthedocs', version: current });
  const answer = await fetch(`${base}-/projects/${project}/versions.json?${query}`);
  return answer.ok ? answer.json() : undefined;
};

/** Makes addresses absolute, as themes expect, and lets each version's address lead to the current page. */
const withAddresses = ({ versions, ...rest }) => {
  const absolute = (version) => {
    const documentation = new URL(version.urls.documentation + pagePath(), location.href).href;
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
