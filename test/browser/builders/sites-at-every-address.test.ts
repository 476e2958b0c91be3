import { mkdir } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { describeInBrowser } from '../../support/browser.js';
import { builtSite } from '../../support/builders/built-sites.js';
import {
  BELOW,
  behindNginx,
  belowAPath,
  type Place,
  plain,
  type Way,
  withHosts,
} from '../../support/builders/places.js';
import { builtFor, publish } from '../../support/builders/published.js';
import { SITES_WITH_A_ROUTER, type SiteWithARouter } from '../../support/builders/sites-with-a-router.js';
import { walkThrough } from '../../support/builders/walk-through.js';

/** Folder for a picture of the last page of each flow, to look at. */
const PICTURES = process.env.LECTERN_PICTURES;
/** Ways to sites by the base that these were built for. */
type Ways = Readonly<
  Partial<
    Record<SiteWithARouter['bases'][number] | 'version', (place: Place, name: string) => readonly Way[]>
  >
>;

const BASES = {
  version: 'the address of its version',
  preview: 'the address of a preview',
  root: 'the root of a host',
  'below a path': 'an address below a path',
};

const leadTo = (to: string, ...from: readonly string[]): Way[] => from.map((each) => ({ from: each, to }));

const ON_MAIN: Ways = {
  version: ({ main }, name) =>
    leadTo(`${main}/${name}-1.0/`, ...['1.0', 'latest', 'stable'].map((each) => `${main}/${name}-${each}/`)),
  preview: ({ main }, name) => leadTo(`${main}/${name}~pr-1/`, `${main}/${name}~pr-1/`),
};

const PLACES: readonly (readonly [name: string, start: () => Promise<Place>, ways: Ways])[] = [
  ['on Lectern alone', plain, ON_MAIN],
  ['behind nginx, with the switcher', behindNginx, ON_MAIN],
  ['below a path, with the switcher', belowAPath, { 'below a path': ON_MAIN.version! }],
  [
    'with hosts of projects and the switcher',
    withHosts(false),
    {
      version: ({ main, on }, name) => [
        ...leadTo(`${main}/${name}-1.0/`, `${main}/${name}-latest/`),
        ...leadTo(
          `${on(`1-0--${name}`)}/${name}-1.0/`,
          ...[name, `1-0--${name}`, `stable--${name}`].map((label) => `${on(label)}/`),
        ),
      ],
      preview: ({ on }, name) => {
        const host = on(`pr-1--preview--${name}`);
        return leadTo(`${host}/${name}~pr-1/`, `${host}/`);
      },
      root: ({ main, on }, name) => [
        ...leadTo(`${on(name)}/`, `${on(name)}/`, `${main}/${name}-latest/`),
        ...leadTo(`${on(`1-0--${name}`)}/`, `${on(`1-0--${name}`)}/`, `${main}/${name}-1.0/`),
      ],
    },
  ],
  [
    'with path addresses that redirect to hosts',
    withHosts(true),
    {
      version: ({ main, on }, name) =>
        leadTo(
          `${on(`1-0--${name}`)}/${name}-1.0/`,
          `${main}/${name}-1.0/`,
          `${main}/${name}-latest/`,
          `${on(name)}/`,
        ),
      root: ({ main, on }, name) => leadTo(`${on(name)}/`, `${main}/${name}-latest/`),
    },
  ],
];

for (const [where, start, ways] of PLACES) {
  describeInBrowser(`Sites with a router, ${where},`, (browser) => {
    let place: Place;
    before(async () => {
      place = await start();
    });
    after(() => place.close());

    for (const site of SITES_WITH_A_ROUTER) {
      for (const base of ['version', ...site.bases] as const) {
        const waysTo = ways[base];
        if (waysTo === undefined) continue;
        it(`show their pages at every address: ${site.setting}, built for ${BASES[base]}`, async (test) => {
          const build = builtFor(site, base, BELOW);
          const built = await builtSite(build.builder);
          if ('unavailable' in built) return test.skip(built.unavailable);
          await publish(place.server, build, await built.zip());
          for (const { from, to } of waysTo(place, build.project)) {
            await test.test(`opens ${new URL(from).host.replace(/:.*/, '')}${new URL(from).pathname}`, () =>
              browser.see(
                'about:blank',
                { hosts: new URL(place.main).hostname },
                async (seen) => {
                  await walkThrough(seen, site, from, to);
                  if (PICTURES === undefined) return;
                  await mkdir(PICTURES, { recursive: true });
                  await seen.screenshot({
                    path: `${PICTURES}/router-${from.replace(/[^a-z0-9~.-]+/g, '_')}.png`,
                  });
                },
                [],
              ),
            );
          }
        });
      }
    }
  });
}
