/** Sites by builders that Debian has. */
import { type Builder, run, write } from './built-sites.js';
import { hashOf } from './npm.js';
import { FILL } from './sources.js';

function builtBy(
  name: string,
  files: Readonly<Record<string, string>>,
  command: readonly [program: string, ...args: string[]],
): Builder {
  return {
    name,
    page: 'index.html',
    key: hashOf({ files, command }),
    build: async (work) => {
      await write(work, files);
      await run(work, ...command);
    },
  };
}

const LAYOUT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ .Title }} | {{ site.Title }}</title>{{ hugo.Generator }}<link rel="icon" href="data:,">
<link rel="stylesheet" href="{{ "site.css" | relURL }}"></head><body><main>{{ .Content }}</main></body></html>
`;

export const HUGO = builtBy(
  'hugo',
  {
    'config.toml':
      "title = 'Household'\nbaseURL = '/'\nrelativeURLs = true\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']\n",
    'content/_index.md': `---\ntitle: Kettle\n---\n\n${FILL} Now and then it has to be [cleaned](/cleaning/).\n`,
    'content/cleaning.md': '---\ntitle: Cleaning\n---\n\nVinegar.\n',
    'layouts/_default/single.html': LAYOUT,
    'layouts/index.html': LAYOUT,
    'static/site.css': 'main { max-width: 40rem }\n',
  },
  ['hugo', '--quiet', '--destination', 'site'],
);

/** @param base address that the site is built for: begins and ends with `/` */
export const jekyll = (base: string): Builder =>
  builtBy(
    'jekyll',
    {
      '_config.yml': 'title: Household\ntheme: minima\ndisable_disk_cache: true\n',
      'index.md': `---\nlayout: page\ntitle: Kettle\n---\n\n${FILL} Now and then it has to be [cleaned]({{ "/cleaning.html" | relative_url }}).\n`,
      'cleaning.md': '---\nlayout: page\ntitle: Cleaning\n---\n\nVinegar.\n',
    },
    ['jekyll', 'build', '--quiet', '--baseurl', base.slice(0, -1), '--destination', 'site'],
  );
