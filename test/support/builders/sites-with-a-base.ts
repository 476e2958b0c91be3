import { jekyll } from './debian-sites.js';
import { next, nuxt, rspress, starlight } from './npm-sites-with-a-base.js';
import type { SiteOfABuilder } from './site-of-a-builder.js';
import { DOCUSAURUS_UNSET } from './sites-with-a-router.js';
import { FILL } from './sources.js';
import { VERSIONS } from './versions.js';

const KETTLE = { address: '', title: 'Kettle', text: FILL } as const;

/** Sites that are read at one address only, the one that they are built for. */
export const SITES_WITH_A_BASE: readonly SiteOfABuilder[] = [
  {
    name: 'docusaurus-unset',
    tried: `Docusaurus ${VERSIONS.docusaurus}, React ${VERSIONS.react}`,
    built: DOCUSAURUS_UNSET.at,
    isBound: true,
    isSlow: true,
    front: { address: '', title: 'Kettle | Household', text: FILL },
    to: 'guide',
    // It writes `guide/index.html`, and links to `guide`.
    second: {
      address: 'guide',
      title: 'Guide | Household',
      text: 'Cold water, up to the line.',
      reloaded: 'guide/',
    },
    words: 'Cold water',
  },
  {
    name: 'starlight',
    tried: `Astro ${VERSIONS.astro}, Starlight ${VERSIONS.starlight}`,
    built: starlight,
    isBound: true,
    forRoot: { build: starlight('/'), setting: (path) => `base: '${path}' in astro.config.mjs` },
    front: { address: '', title: 'Kettle | Household', text: FILL },
    to: 'Cleaning',
    second: { address: 'cleaning/', title: 'Cleaning | Household', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'rspress',
    tried: `Rspress ${VERSIONS.rspress}`,
    built: rspress,
    isBound: true,
    forRoot: { build: rspress('/'), setting: (path) => `rspress build --base ${path}` },
    front: { address: 'index.html', title: 'Kettle - Household', text: FILL },
    to: 'cleaned',
    second: { address: 'cleaning.html', title: 'Cleaning - Household', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'next',
    tried: `Next.js ${VERSIONS.next}`,
    built: next,
    isBound: true,
    forRoot: { build: next('/'), setting: (path) => `basePath: '${path.slice(0, -1)}' in next.config.js` },
    front: KETTLE,
    to: 'cleaned',
    second: { address: 'cleaning/', title: 'Cleaning', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'nuxt',
    tried: `Nuxt ${VERSIONS.nuxt}`,
    built: nuxt,
    isBound: true,
    forRoot: { build: nuxt('/'), setting: (path) => `app.baseURL: '${path}' in nuxt.config.ts` },
    front: KETTLE,
    to: 'cleaned',
    second: { address: 'cleaning/', title: 'Cleaning', text: 'Vinegar.' },
    words: 'Vinegar',
  },
  {
    name: 'jekyll',
    tried: 'Jekyll 4.3.1, minima 2.5.1',
    debian: { jekyll: '4.3.1', 'jekyll-theme-minima': '2.5.1' },
    built: jekyll,
    isBound: true,
    forRoot: { build: jekyll('/'), setting: (path) => `jekyll build --baseurl ${path.slice(0, -1)}` },
    front: { address: '', title: 'Kettle | Household', text: FILL },
    to: 'cleaned',
    second: { address: 'cleaning.html', title: 'Cleaning | Household', text: 'Vinegar.' },
    words: 'Vinegar',
  },
];
