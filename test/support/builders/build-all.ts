/**
 * Builds all sites that tests take from builders, and says how long it took. Without it each is built by the first test that
 * takes it, beside other tests. CI runs it first, so that the minutes of builds are told apart. The tests of a site that fails to
 * build try again, and say why.
 */
import { BUILDERS } from './builders.js';
import { type Builder, builtSite } from './built-sites.js';
import { DRAWN_SITES } from './drawn-sites.js';
import { BELOW } from './places.js';
import { builtFor } from './published.js';
import { BASES, buildFor } from './site-of-a-builder.js';
import { SITES } from './sites.js';
import { SITES_WITH_A_ROUTER } from './sites-with-a-router.js';

/** A build takes a core, and its installation waits for the network. */
const MAX_AT_A_TIME = 3;

const all: readonly Builder[] = [
  ...SITES_WITH_A_ROUTER.flatMap((site) =>
    (['version', ...site.bases] as const).map((base) => builtFor(site, base, BELOW).builder),
  ),
  ...SITES.flatMap((site) => [
    ...(Object.keys(BASES) as (keyof typeof BASES)[])
      .slice(0, site.isSlow === true ? 1 : undefined)
      .map((base) => buildFor(site, base)),
    ...(site.forRoot === undefined ? [] : [site.forRoot.build]),
  ]),
  ...DRAWN_SITES.map(({ builder }) => builder),
  ...BUILDERS,
];

/** Builders that share packages wait for one another, so they are one task. */
const tasks = new Map<string, Map<string, Builder>>();
for (const builder of all) {
  const task = builder.home ?? builder.name;
  tasks.set(
    task,
    (tasks.get(task) ?? new Map<string, Builder>()).set(`${builder.name} ${builder.key}`, builder),
  );
}

const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(1);

async function build(builder: Builder): Promise<void> {
  const since = Date.now();
  const failure = await builtSite(builder).then(
    (site) => ('unavailable' in site ? site.unavailable : undefined),
    (error: Error) => `no site by ${builder.name}: ${error.message.split('\n')[0]}`,
  );
  console.log(`${seconds(since)} s: ${failure ?? builder.name}`);
}

const waiting = [...tasks.values()].sort((a, b) => b.size - a.size);
await Promise.all(
  Array.from({ length: MAX_AT_A_TIME }, async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      for (const builder of task.values()) await build(builder);
    }
  }),
);
