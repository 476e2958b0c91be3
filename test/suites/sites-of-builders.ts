import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { describeInBrowser } from '../support/browser.js';
import { builtSite } from '../support/builders/built-sites.js';
import { belowAPath, type Place, plain, type Way, withHosts } from '../support/builders/places.js';
import { assertPublished, publish } from '../support/builders/published.js';
import { type BASES, buildFor, type SiteOfABuilder } from '../support/builders/site-of-a-builder.js';
import { visit } from '../support/builders/visit.js';
import type { TestServer } from '../support/server.js';

/** Where sites are read, by their builds: those with relative links, and those for a base. */
interface Read {
  readonly where: string;
  readonly start: () => Promise<Place>;
  readonly relative: (place: Place, project: string) => readonly Way[];
  /** The base that the others are built for there. */
  readonly base: keyof typeof BASES;
  readonly based: (place: Place, project: string) => readonly Way[];
}

const itself = (address: string): Way => ({ from: address, to: address });
const onMain = ({ main }: Place, project: string, ...names: readonly string[]) =>
  ['1.0', 'latest', ...names].map((name) => `${main}/${project}-${name}/`);
const toVersion = ({ main }: Place, project: string, addresses: readonly string[]) =>
  addresses.map((from) => ({ from, to: `${main}/${project}-1.0/` }));

const PLACES: readonly Read[] = [
  {
    where: 'on Lectern alone',
    start: plain,
    relative: (place, project) => onMain(place, project, 'stable').map(itself),
    base: 'of its version',
    based: (place, project) => toVersion(place, project, onMain(place, project, 'stable')),
  },
  {
    where: 'below a path, with the switcher',
    start: belowAPath,
    relative: (place, project) => onMain(place, project).map(itself),
    base: 'below a path',
    based: (place, project) => toVersion(place, project, onMain(place, project)),
  },
  {
    where: 'on hosts of projects, with the switcher',
    start: withHosts(false),
    relative: ({ on }, project) => [itself(`${on(project)}/`)],
    base: 'of a host',
    based: ({ on }, project) => [project, `1-0--${project}`].map((label) => itself(`${on(label)}/`)),
  },
];

/** Asserts that Debian's packages have the versions that the table names. */
async function assertInstalled(debian: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, version] of Object.entries(debian)) {
    const { stdout } = await promisify(execFile)('dpkg-query', ['--status', name]);
    assert.match(
      stdout,
      new RegExp(`^Version: (?:\\d+:)?${version.replaceAll('.', '\\.')}(?:[-+~]|$)`, 'm'),
      name,
    );
  }
}

/** Asserts that the search finds the second page by its words. */
async function assertIsFound(
  server: TestServer,
  { name, second: { address, reloaded = address }, words }: SiteOfABuilder,
): Promise<void> {
  if (words === undefined) return;
  await server.isIndexed();
  const query = `/api/search?q=${encodeURIComponent(`"${words}"`)}&project=${name}`;
  const { results } = await server.json(query);
  const paths = results.map(({ path }: { path: string }) => path.replace(/(^|\/)index\.html$/, '$1'));
  assert.ok(paths.includes(reloaded), `${words}: ${paths}`);
}

/** Sites by builders of documentation, published and read at every address as readers do. */
export function describeSites(title: string, sites: readonly SiteOfABuilder[]): void {
  for (const { where, start, relative, base, based } of PLACES) {
    describeInBrowser(`${title}, ${where},`, (browser) => {
      let place: Place;
      before(async () => {
        place = await start();
      });
      after(() => place.close());

      for (const site of sites) {
        const { name: project, tried, debian = {}, isBound = false, hasErrors = false } = site;
        if (site.isSlow === true && start !== plain) continue;
        it(`are read at every address: ${tried}`, async (test) => {
          const built = await builtSite(buildFor(site, base));
          if ('unavailable' in built) return test.skip(built.unavailable);
          await assertInstalled(debian);
          await publish(place.server, { project, directory: `${project}-1.0` }, await built.zip());
          for (const { from, to } of (isBound ? based : relative)(place, project)) {
            await browser.see(
              'about:blank',
              { hosts: new URL(place.main).hostname, foreign: hasErrors },
              (seen) => visit(seen, site, from, to),
            );
          }
          if (start === plain) await assertIsFound(place.server, site);
        });
      }

      if (start !== plain) return;

      for (const { name, tried, forRoot } of sites) {
        if (forRoot === undefined) continue;
        it(`are named in a warning, with the setting, when built for the root of a host: ${tried}`, async (test) => {
          const built = await builtSite(forRoot.build);
          if ('unavailable' in built) return test.skip(built.unavailable);
          const directory = `${name}-for-root-1.0`;
          const response = await place.server.upload(`${directory}-docs.zip`, await built.zip());
          await assertPublished(response, `Rebuild it with ${forRoot.setting(`/${directory}/`)}`);
        });
      }
    });
  }
}
