import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  COUNTED,
  type Counted,
  dayAfter,
  dayOf,
  daysIn,
  isCountedPage,
  isDay,
  isOfReader,
  lastDays,
  MAX_COUNTED_PATHS,
  MAX_COUNTED_PATHS_OF_ALL,
  MAX_MISSING_PATH,
  mergedUsage,
  type ProjectUsage,
  UsageSum,
  UsageTallies,
} from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const NOON = new Date('2026-11-23T12:00:00Z');
const DAY = '2026-11-23';

describe('A day', () => {
  it("follows UTC, whatever the machine's time zone", () => {
    assert.equal(dayOf(new Date('2026-11-23T23:59:59.999Z')), '2026-11-23');
    assert.equal(dayOf(new Date('2026-11-24T01:30:00+02:00')), '2026-11-23');
  });

  it('is counted over months, leap days and years', () => {
    assert.equal(dayAfter('2024-02-28', 1), '2024-02-29');
    assert.equal(dayAfter('2026-01-01', -1), '2025-12-31');
    assert.deepEqual(lastDays(1, NOON), { from: DAY, to: DAY });
    assert.equal(daysIn(lastDays(400, NOON)).length, 400);
  });

  it('is one of the calendar', () => {
    for (const day of ['2026-02-29', '2026-13-01', '2026-1-1', '26-01-01', '2026-01-01T00', '']) {
      assert.equal(isDay(day), false, day);
    }
    assert.equal(isDay('2024-02-29'), true);
  });
});

describe('A request', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

  it('counts when a reader asks for a page', () => {
    assert.equal(isOfReader({ method: 'GET', userAgent: browser }), true);
    assert.equal(isOfReader({ method: 'GET', userAgent: undefined }), true);
    assert.equal(isOfReader({ method: 'GET', userAgent: 'curl/8.5.0' }), true);
  });

  it('does not count unless it is a GET, when it is a prefetch, or from a self-declared robot', () => {
    assert.equal(isOfReader({ method: 'HEAD', userAgent: browser }), false);
    for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
      assert.equal(isOfReader({ method: 'GET', userAgent: browser, purpose }), false, purpose);
    }
    for (const userAgent of [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'Mozilla/5.0 (compatible; bingbot/2.0)',
      'GPTBot/1.2',
      'Mozilla/5.0 (compatible; Baiduspider/2.0)',
      'Mozilla/5.0 (compatible; Yahoo! Slurp)',
      'SomeCrawler/1.0',
    ]) {
      assert.equal(isOfReader({ method: 'GET', userAgent }), false, userAgent);
    }
  });

  it('counts for HTML pages only', () => {
    for (const path of ['index.html', 'a/b.htm', 'c.xhtml', 'D.HTML'])
      assert.equal(isCountedPage(path), true);
    for (const path of ['a.css', 'html', 'a.html.map', 'objects.inv'])
      assert.equal(isCountedPage(path), false);
  });
});

describe('Counting', () => {
  it('separates days, projects, versions and pages', () => {
    const tallies = new UsageTallies(2);
    const midnight = new Date('2026-11-24T00:00:00Z');
    tallies.count('reads', makeVersion('a', '1.0'), 'index.html', NOON);
    tallies.count('reads', makeVersion('a', '1.0'), 'index.html', NOON);
    tallies.count('misses', makeVersion('a', '2.0'), 'old', NOON);
    tallies.count('misses', makeVersion('a', '2.0'), undefined, NOON);
    tallies.count('reads', makeVersion('b', '1.0'), 'index.html', midnight);
    const all = tallies.all();
    assert.deepEqual(
      all.map(({ project, day }) => [project, day]),
      [
        ['a', '2026-11-23'],
        ['b', '2026-11-24'],
      ],
    );
    assert.deepEqual(plain(all[0]?.usage ?? new Map()), {
      '1.0': { reads: [2, [['index.html', 2]]], misses: [0, []] },
      '2.0': { reads: [0, []], misses: [2, [['old', 1]]] },
    });
  });

  it('drops past saved days, and no others', () => {
    const tallies = new UsageTallies(3);
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23']) {
      tallies.count('reads', makeVersion('a', '1.0'), 'index.html', new Date(`${day}T12:00:00Z`));
    }
    for (const each of tallies.all()) each.isSaved = each.day !== '2026-11-22';
    tallies.forgetSaved(NOON);
    assert.deepEqual(
      tallies.all().map(({ day }) => day),
      ['2026-11-22', '2026-11-23'],
    );
  });

  it('bounds its memory, whatever strangers request, and keeps every total correct', () => {
    const tallies = new UsageTallies(1);
    const asked = 3 * MAX_COUNTED_PATHS.misses;
    const projects = 2 + MAX_COUNTED_PATHS_OF_ALL.misses / MAX_COUNTED_PATHS.misses;
    for (let project = 0; project < projects; project++) {
      const version = makeVersion(`p${project}`, '1.0');
      for (let page = 0; page < asked; page++) tallies.count('misses', version, `${page}`, NOON);
      tallies.count('misses', version, 'x'.repeat(MAX_MISSING_PATH + 1), NOON);
    }
    const counts = tallies.all().map(({ usage }) => usage.get('1.0')?.misses);
    assert.ok(counts.every((misses) => misses?.total === asked + 1));
    assert.equal(counts[0]?.paths.size, MAX_COUNTED_PATHS.misses);
    const paths = counts.reduce((sum, misses) => sum + (misses?.paths.size ?? 0), 0);
    assert.equal(paths, MAX_COUNTED_PATHS_OF_ALL.misses);
  });

  it('keeps counting known paths when there is no more room', () => {
    const tallies = new UsageTallies(1);
    const version = makeVersion('a', '1.0');
    tallies.count('reads', version, 'index.html', NOON);
    for (let page = 0; page < 2 * MAX_COUNTED_PATHS.reads; page++) {
      tallies.count('reads', version, `${page}.html`, NOON);
    }
    tallies.count('reads', version, 'index.html', NOON);
    assert.equal(tallies.all()[0]?.usage.get('1.0')?.reads.paths.get('index.html'), 2);
  });
});

describe('Adding up counts', () => {
  const range = lastDays(5, NOON);
  const listed = (label: string) => label !== 'hidden';
  const usage = fc
    .array(
      fc.record({
        counted: fc.constantFrom(...COUNTED),
        label: fc.constantFrom('1.0', '2.0', 'hidden'),
        path: fc.option(fc.constantFrom('a.html', 'b.html', '__proto__', 'c/', 'constructor'), {
          nil: undefined,
        }),
      }),
      { maxLength: 20 },
    )
    .map(usageOf);
  const days = fc.array(fc.tuple(fc.constantFrom(...daysIn(range), '2026-11-18', '2026-11-24'), usage), {
    maxLength: 12,
  });

  it('is independent of order', () => {
    fc.assert(
      fc.property(
        days.chain((counted) =>
          fc.tuple(fc.constant(counted), fc.shuffledSubarray(counted, { minLength: counted.length })),
        ),
        ([counted, shuffled]) => {
          assert.deepEqual(sorted(reportOf(counted)), sorted(reportOf(shuffled)));
        },
      ),
    );
  });

  it("is independent of a previous merge of several servers' counts", () => {
    fc.assert(
      fc.property(fc.array(usage, { minLength: 1, maxLength: 5 }), (usages) => {
        const apart = reportOf(usages.map((each) => [DAY, each]));
        assert.deepEqual(sorted(reportOf([[DAY, mergedUsage(usages)]])), sorted(apart));
        assert.deepEqual(sorted(reportOf([[DAY, mergedUsage(usages.toReversed())]])), sorted(apart));
      }),
    );
  });

  it('loses no request: days, versions and the remainder add up to the total', () => {
    fc.assert(
      fc.property(days, (counted) => {
        const report = reportOf(counted);
        const inside = counted.filter(([day]) => day >= range.from && day <= range.to);
        for (const each of COUNTED) {
          const asked = inside
            .flatMap(([, of]) => [...of.values()])
            .reduce((sum, of) => sum + of[each].total, 0);
          assert.equal(report.total[each], asked);
          const byVersion = report.versions.reduce((sum, of) => sum + of[each], report.others[each]);
          assert.equal(byVersion, asked);
        }
      }),
    );
  });

  it('names no unlisted version, and none of its paths', () => {
    const report = reportOf([
      [DAY, usageOf([{ counted: 'reads', label: 'hidden', path: 'secret.html' }])],
      [DAY, usageOf([{ counted: 'misses', label: 'hidden', path: 'secret' }])],
    ]);
    assert.deepEqual(report.others, { reads: 1, agents: 0, misses: 1 });
    assert.deepEqual([report.versions, report.reads, report.misses], [[], [], []]);
    assert.deepEqual(report.total, { reads: 1, agents: 0, misses: 1 });
  });

  it('keeps the most frequent paths when there are too many, in bounded memory', () => {
    const sum = new UsageSum(range, listed, 10);
    for (const day of daysIn(range)) {
      const often = Array.from({ length: 30 }, () => ({
        counted: 'misses' as const,
        label: '1.0',
        path: 'often',
      }));
      const rare = Array.from({ length: 100 }, (_, page) => {
        return { counted: 'misses' as const, label: '1.0', path: `${day} ${page}` };
      });
      sum.add(day, usageOf([...often, ...rare]));
    }
    const { misses, total } = sum.report(1_000);
    assert.deepEqual(misses[0], { path: 'often', count: 150, versions: ['1.0'] });
    assert.ok(misses.length <= 20, String(misses.length));
    assert.equal(total.misses, 5 * 130);
  });

  function reportOf(counted: readonly (readonly [string, ProjectUsage])[]) {
    const sum = new UsageSum(range, listed);
    for (const [day, of] of counted) sum.add(day, of);
    return sum.report(100);
  }
});

interface Asked {
  readonly counted: Counted;
  readonly label: string;
  readonly path: string | undefined;
}

function usageOf(asked: readonly Asked[]): ProjectUsage {
  const tallies = new UsageTallies(1);
  for (const { counted, label, path } of asked) tallies.count(counted, makeVersion('a', label), path, NOON);
  return tallies.all()[0]?.usage ?? new Map();
}

/** The labels beside a path have no order. */
function sorted(report: ReturnType<UsageSum['report']>) {
  const inOrder = (paths: typeof report.reads) =>
    paths.map(({ versions, ...rest }) => ({ ...rest, versions: [...versions].sort() }));
  const [reads, agents, misses] = [report.reads, report.agents, report.misses].map(inOrder);
  return { ...report, reads, agents, misses };
}

function plain(usage: ProjectUsage) {
  return Object.fromEntries(
    Array.from(usage, ([label, { reads, misses }]) => [
      label,
      { reads: [reads.total, [...reads.paths]], misses: [misses.total, [...misses.paths]] },
    ]),
  );
}
