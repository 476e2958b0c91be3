const page = (...links: readonly string[]) =>
  `<title>t</title><main><h1 id="guide">Guide</h1>${links.map((link) => `<a href="${link}">link</a>`).join(' ')}</main>`;

/** A site of three pages with four dead links: a page that is close to another one, twice; one that is not; an anchor. */
export const SITE_WITH_DEAD_LINKS = {
  'index.html': page('guide.html', 'frnt%20page.html#top', 'nothing/'),
  'guide.html': page('frnt%20page.html', '#Guide'),
  'front page.html': page(),
};
