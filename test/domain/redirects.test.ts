import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PageAddress, parseRedirects, type Redirects } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';
import { assertEnds } from '../support/assert-ends.js';

const pageOf = (url: string) => PageAddress.fromUrl(url) ?? assert.fail(url);
const found = (redirects: Redirects, url: string) =>
  redirects.from(pageOf(url)).map(({ page, fragment, status }) => `${status} /${page.toUrl()}${fragment}`);
const older = (redirects: Redirects, url: string) =>
  redirects.to(pageOf(url)).map(({ page }) => `/${page.toUrl()}`);

const LEADS: readonly (readonly [rules: string, asked: string, to: readonly string[]])[] = [
  ['/old.html /new.html', 'old.html', ['302 /new.html']],
  ['/old.html /new.html 301', 'old.html', ['301 /new.html']],
  // Every spelling of a page is the page.
  ['/old.html /new.html', 'old', ['302 /new.html']],
  ['/old/ /new/', 'old.html', ['302 /new/']],
  ['/old /new', 'old/index.html', ['302 /new']],
  ['/old /new', 'older', []],
  ['/old /new', 'old/part', []],
  ['/index.html /start.html', '', ['302 /start.html']],
  ['/a / 308', 'a', ['308 /']],
  ['/a /b#part 303', 'a', ['303 /b#part']],
  ['# why\n\n  /a   /b\t307   # moved', 'a', ['307 /b']],
  ['/a /b\r\n/c /d\r\n', 'c', ['302 /d']],
  // The path that a splat matches keeps its spelling.
  ['/old/* /new/:splat', 'old/a/b.html', ['302 /new/a/b.html']],
  ['/old/* /new/:splat', 'old/a/', ['302 /new/a/']],
  ['/old/* /new/:splat', 'old/', ['302 /new/']],
  ['/old/* /new/:splat', 'old', ['302 /new/']],
  ['/old/* /new/:splat', 'olds/a', []],
  ['/* /v2/:splat', 'a/b', ['302 /v2/a/b']],
  ['/* /index.html 200', 'app/route', ['200 /index.html']],
  ['/news/:year/:slug /blog/:slug/:year', 'news/2024/hello', ['302 /blog/hello/2024']],
  ['/news/:slug.html /blog/:slug.html', 'news/hello.html', ['302 /blog/hello.html']],
  ['/news/:slug /blog/:slug', 'news/', []],
  ['/:lang/guide/* /guide/:lang/:splat', 'de/guide/a/b', ['302 /guide/de/a/b']],
  // The first line first.
  ['/a /b\n/:any /c\n/* /d', 'a', ['302 /b', '302 /c', '302 /d']],
  ['/* /d\n/a /b', 'a', ['302 /d', '302 /b']],
  // Names are decoded, and encoded again.
  ['/a%20b /c%20d', 'a%20b', ['302 /c%20d']],
  ['/ünï /café', '%C3%BCn%C3%AF', ['302 /caf%C3%A9']],
  // A target that can be no page is none.
  ['/a/:x /.:x', 'a/git', []],
];

describe('The redirects of a site', () => {
  for (const [rules, asked, to] of LEADS) {
    it(`lead from '${asked}' to ${to.join(', then ') || 'nothing'} by ${JSON.stringify(rules)}`, () => {
      const redirects = parseRedirects(rules);
      assert.deepEqual(redirects.problems, []);
      assert.deepEqual(found(redirects, asked), to);
    });
  }

  it('are reversed where nothing is lost on the way', () => {
    const redirects = parseRedirects(`/old.html /new.html
/older.html /new.html
/v1/* /v2/:splat
/:year/:slug.html /blog/:slug/:year
/app/* /index.html 200
/drafts/* /
/mixed/:a /x-:a
/part.html /whole.html#part`);
    assert.deepEqual(redirects.problems, []);
    assert.deepEqual(older(redirects, 'new/'), ['/old', '/older']);
    assert.deepEqual(older(redirects, 'v2/a/b.html'), ['/v1/a/b.html']);
    assert.deepEqual(older(redirects, 'blog/hello/2024.html'), ['/2024/hello']);
    assert.deepEqual(older(redirects, 'whole.html'), ['/part']);
    for (const none of ['index.html', '', 'x-1', 'other']) assert.deepEqual(older(redirects, none), []);
  });
});

const NAMED: readonly (readonly [line: string, problem: RegExp, counts?: boolean])[] = [
  [
    '/a https://example.org/b',
    /^line 1 leads to another host, 'https:\/\/example\.org\/b', so it has no effect$/,
  ],
  ['/a //example.org/b', /leads to another host/],
  ['/a /\\example.org', /leads to another host/],
  ['https://example.org/a /b', /is for another host/],
  ['/a javascript:alert(1)', /leads to another host/],
  ['/a', /has no target/],
  ['/a 301', /has no target/],
  ['/a /b 404', /has the code '404'; a code is one of 200, 301, 302, 303, 307, 308, so it has no effect/],
  ['/a /b 301 Country=de', /has a condition, 'Country=de'/],
  ['/a id=:id /b/:id', /has a condition, 'id=:id'/],
  ['/a?x=1 /b', /asks for a query/],
  ['/a#b /c', /'#' in its first path/],
  ['a /b', /has 'a' where a path that begins with '\/' belongs/],
  ['/a*b /c', /a '\*' that is not the last part/],
  ['/a/*/b /c', /a '\*' that is not the last part/],
  ['/a/* /b/*', /'\*' in its target/],
  ['/a/x-:b /c', /has :b as a part of 'x-:b'/],
  ['/:a/:a /c', /two placeholders with the same name/],
  ['/:splat/* /c', /two placeholders with the same name/],
  ['/a /b/:c', /has :c in its target only/],
  ['/a /b/:splat', /has :splat in its target only/],
  ['/../a /b', /'\.\.' in its path/],
  ['/a /../b', /'\.\.' in its path/],
  ['/a//b /c', /an empty component/],
  ['/a%2Fb /c', /an encoded '\/'/],
  ['/a%zz /c', /not correctly percent-encoded/],
  [`/${'a/'.repeat(499)} /b`, /longer than 1000 characters/],
  ['/a /a', /^line 1 redirects to itself, so it has no effect$/],
  ['/a.html /a/', /redirects to itself/],
  ['/a/* /a/:splat', /redirects to itself/],
  ['/a /b 301!', /^line 1 works, but '!' is ignored: an existing page wins$/, true],
  ['/a /b?x=1', /^line 1 works, but the query of its target is ignored$/, true],
];

describe('A faulty redirect rule', () => {
  it('is reported before faults of later lines', () => {
    const { problems } = parseRedirects('/a /b\n/b /a\n/c\n/d /d\n');
    assert.deepEqual(
      problems.map((problem) => problem.slice(0, 12)),
      ['line 1 redir', 'line 2 redir', 'line 3 has n', 'line 4 redir'],
    );
  });

  for (const [line, problem, counts = false] of NAMED) {
    it(`is reported: ${line.slice(0, 60)}`, () => {
      const redirects = parseRedirects(line);
      assert.equal(redirects.problems.length, 1);
      assert.match(redirects.problems[0] ?? '', problem);
      assert.equal(redirects.rules.length, counts ? 1 : 0);
    });
  }

  it('is reported with its line, at most five of them, and the rest are counted', () => {
    const redirects = parseRedirects(`/a /b\n${'/x\n'.repeat(9)}/c /d`);
    assert.equal(redirects.problems.length, 6);
    assert.match(redirects.problems[0] ?? '', /^line 2 /);
    assert.equal(redirects.problems[5], '4 more problems');
    assert.equal(redirects.rules.length, 2);
  });

  it('is each rule of a loop, but no rule that leads into it', () => {
    const redirects = parseRedirects('/a /b\n/b /c\n/c /b\n/p/* /q/:splat\n/q/* /p/:splat');
    assert.deepEqual(
      redirects.problems.map((problem) => problem.slice(0, 6)),
      ['line 2', 'line 3', 'line 4', 'line 5'],
    );
    assert.deepEqual(found(redirects, 'a'), ['302 /b']);
  });

  it('is a rule beyond the limit', () => {
    const rules = Array.from({ length: 2_003 }, (_, index) => `/old-${index} /new-${index}`).join('\n');
    const redirects = parseRedirects(rules);
    assert.deepEqual(redirects.problems, ['it has more than 2000 rules, so the last 3 have no effect']);
    assert.deepEqual(found(redirects, 'old-1999'), ['302 /new-1999']);
    assert.deepEqual(found(redirects, 'old-2000'), []);
  });

  it('is found after thousands of rules that all lead to a page', () => {
    const many = Array.from({ length: 1_900 }, (_, index) => `/old-${index}/* /new-${index}/:splat`);
    const { problems } = parseRedirects([...many, '/a /b', '/b /a', '/* /index.html'].join('\n'));
    assert.deepEqual(problems, [
      'line 1901 redirects to itself, so it has no effect',
      'line 1902 redirects to itself, so it has no effect',
    ]);
  });

  it('never makes the parser fail, whatever the file contains', () => {
    fc.assert(
      fc.property(anyString({ maxLength: 200 }), fc.webUrl(), (text, url) => {
        for (const file of [text, `/a ${text}`, `${text} /b`, `/${text} /${text}`, `/a ${url}`]) {
          const redirects = parseRedirects(file);
          redirects.from(pageOf('a/b'));
          redirects.to(pageOf('a/b'));
        }
      }),
    );
  });
});

/** A few names, so that rules meet one another and the addresses. */
const name = fc.constantFrom('a', 'b', 'c');
const component = fc.oneof(name, fc.constantFrom(':x', ':y'));
const pattern = fc
  .tuple(
    fc.uniqueArray(component, { maxLength: 4, selector: (part) => (part.startsWith(':') ? part : {}) }),
    fc.boolean(),
  )
  .map(([parts, splat]) => `/${[...parts, ...(splat ? ['*'] : [])].join('/')}`);

/** Whether a rule matches a path, by a regular expression. */
function naiveMatch(from: string, path: string): boolean {
  const expression = from
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part === '*' ? '(/.*)?' : `/${part.startsWith(':') ? '[^/]+' : part}`));
  return new RegExp(`^${expression.join('')}$`).test(path === '' ? '' : `/${path}`);
}

describe('Looking a redirect up', () => {
  it('finds the same rules in the same order as a linear scan', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 25 }),
        fc.array(name, { maxLength: 5 }),
        (patterns, components) => {
          // Each target tells its rule.
          const redirects = parseRedirects(patterns.map((from, index) => `${from} /to-${index}`).join('\n'));
          assert.deepEqual(redirects.problems, []);
          const path = components.join('/');
          const expected = patterns.flatMap((from, index) =>
            naiveMatch(from, path) ? [`302 /to-${index}`] : [],
          );
          assert.deepEqual(found(redirects, path), expected.slice(0, 10));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('leads back to the original address, for reversible rules', () => {
    fc.assert(
      fc.property(pattern, fc.array(name, { minLength: 1, maxLength: 5 }), (from, components) => {
        const to = `/moved${from.replace('*', ':splat')}`;
        const redirects = parseRedirects(`${from} ${to}`);
        const page = pageOf(components.join('/'));
        for (const { page: target } of redirects.from(page)) {
          assert.deepEqual(
            redirects.to(target).map(({ page: back }) => back.stem.toString()),
            [page.stem.toString()],
          );
        }
      }),
    );
  });
});

describe('Rules that match an address in thousands of ways', () => {
  /** All 2,000 of them match `a/a/a/a/a/a/a/a/a/a/a`, where the first one leads to. */
  const COMBINED = Array.from({ length: 2_000 }, (_, bits) => {
    const components = Array.from({ length: 11 }, (_each, at) => ((bits >> at) & 1 ? `:v${at}` : 'a'));
    return `/${components.join('/')} /a/a/a/a/a/a/a/a/a/a/a`;
  });

  it('are parsed and looked up quickly', () => {
    assertEnds(() => {
      const redirects = parseRedirects(COMBINED.join('\n'));
      for (let times = 0; times < 2_000; times += 1) redirects.from(pageOf('a/a/a/a/a/a/a/a/a/a/b'));
    });
  });
});
