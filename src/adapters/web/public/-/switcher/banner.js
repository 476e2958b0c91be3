// The notice on versions that are deprecated, or not the latest one.

import { linkTo, make, stored } from './elements.js';
import { whereIs } from './missing.js';
import { home, pagePath } from './page.js';
import { labelOf } from './versions.js';

const SAYS = {
  older: (own, latest) => `This is ${own}. The latest version is ${latest}.`,
  'pre-release': (own, latest) => `This is ${own}, a pre-release. The latest stable version is ${latest}.`,
  unreleased: (own, latest) => `This is ${own}, which is not a release. The latest version is ${latest}.`,
};

/** A notice with a button that removes it, and calls `dismissed`. */
const noticeOf = (text, dismissed = () => {}) => {
  const close = make('button', { class: 'close', type: 'button', 'aria-label': 'Dismiss' }, '×');
  const notice = make('div', { class: 'banner', role: 'status' }, text, close);
  close.addEventListener('click', () => {
    dismissed();
    notice.remove();
  });
  return notice;
};

const previewText = ({ name, expires_at }) => {
  const day = expires_at && new Date(expires_at).toLocaleDateString('en', { dateStyle: 'long' });
  return day ? `This is preview ${name}. It expires on ${day}.` : `This is preview ${name}.`;
};

const leadOf = (facts) => {
  const { latest, standing, preview, deprecated } = facts;
  if (preview !== undefined) return previewText(preview);
  const own = labelOf(facts);
  return deprecated === undefined
    ? SAYS[standing](own, latest.version)
    : `${own} is deprecated: ${deprecated}`;
};

/** A link to the latest version, which says whether this page is there. */
const latestLink = async ({ latest }) => {
  const found = await whereIs(latest.alias, pagePath());
  return linkTo(
    latest.alias,
    found?.same ? `Read this page in ${latest.version}` : `Go to ${latest.version}`,
  );
};

/** Returns the notice; nothing if there is none to give, or the reader has dismissed it. */
export const bannerOf = async (facts) => {
  const { current, latest, standing, preview, deprecated } = facts;
  const isOther = preview !== undefined || standing in SAYS;
  if (!isOther && deprecated === undefined) return '';
  const key = `lectern-dismissed:${current}`;
  // The notice is given again once there is a newer version, another reason, or the preview has another end.
  const reason = deprecated === undefined ? '' : ` ${deprecated}`;
  const about = preview === undefined ? latest.directory + reason : String(preview.expires_at);
  if (stored((storage) => storage.getItem(key)) === about) return '';
  const text = make('p', {}, leadOf(facts));
  if (isOther && latest !== undefined) {
    text.append(make('br'), await latestLink(facts));
  }
  return noticeOf(text, () => stored((storage) => storage.setItem(key, about)));
};

/**
 * Returns the notice of a page that isn't in this version, with pages to read instead. It names only pages that the server has
 * found.
 */
export const missingBannerOf = (facts, { name, instead: { closest, others, search } }) => {
  const text = make('p', {}, `${name} isn’t in ${labelOf(facts)}.`);
  const offer = (lead, links) => {
    if (links.length > 0) text.append(make('br'), lead, ...links.flatMap((link) => [' ', link]));
  };
  offer(
    'Did you mean',
    closest.map(({ url, path }) => make('a', { href: url }, path)),
  );
  offer(
    'It is in',
    others.slice(0, 4).map(({ url, version }) => make('a', { href: url }, version)),
  );
  if (closest.length + others.length === 0 && facts.latest !== undefined) {
    offer('', [make('a', { href: `${home}-/projects/${facts.project}` }, 'All versions of this project')]);
  }
  if (search !== undefined) {
    offer('', [make('a', { href: search.url }, `Search for “${search.words}”`)]);
  }
  return noticeOf(text);
};
