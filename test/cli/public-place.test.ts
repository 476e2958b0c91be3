import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPublicPlace, withProjectHosts } from '../../src/adapters/cli/options/public-place.js';
import { StartError } from '../../src/adapters/cli/start-error.js';

describe('--base-path and --public-url', () => {
  const READ: readonly [
    basePath: string | undefined,
    publicUrl: string | undefined,
    path: string,
    origin?: string,
  ][] = [
    [undefined, undefined, ''],
    ['/', undefined, ''],
    ['/docs', undefined, '/docs'],
    ['/docs/', undefined, '/docs'],
    ['/a/b-1.0/~c', undefined, '/a/b-1.0/~c'],
    [undefined, 'https://docs.example.org', '', 'https://docs.example.org'],
    [undefined, 'HTTPS://Docs.Example.org:443/', '', 'https://docs.example.org'],
    [undefined, 'http://[::1]:8080/docs/', '/docs', 'http://[::1]:8080'],
    ['/docs', 'https://example.org', '/docs', 'https://example.org'],
    ['/docs/', 'https://example.org/docs', '/docs', 'https://example.org'],
  ];
  for (const [basePath, publicUrl, path, origin] of READ) {
    it(`read ${basePath} and ${publicUrl} as ${origin ?? 'any host'} with '${path}'`, () => {
      assert.deepEqual(readPublicPlace(basePath, publicUrl), {
        basePath: path,
        ...(origin === undefined ? {} : { origin }),
      });
    });
  }

  const REFUSED: readonly [basePath: string | undefined, publicUrl: string | undefined, message: RegExp][] = [
    ...[
      'docs',
      '//docs',
      '/a//b',
      '/a/../b',
      '/.',
      '/a b',
      '/ä',
      '/a?b',
      '/a#b',
      '/%64ocs',
      '/"',
      'https://x/y',
    ].map((path): [string, undefined, RegExp] => [
      path,
      undefined,
      /^--base-path: expected a path such as \/docs/,
    ]),
    ...['/api', '/-/docs', '/help/'].map((path): [string, undefined, RegExp] => [
      path,
      undefined,
      /^--base-path: '\/(?:api|-|help)' is reserved for Lectern/,
    ]),
    ...[
      'docs.example.org',
      'ftp://docs.example.org',
      'https://',
      'https://user@docs.example.org',
      'https://docs.example.org?a=b',
      'https://docs.example.org/docs#top',
      'https://docs.example.org:99999',
      'https://docs example.org',
    ].map((url): [undefined, string, RegExp] => [
      undefined,
      url,
      /^--public-url: expected an address such as /,
    ]),
    [undefined, 'https://example.org/a/../b', /^--public-url: expected a path such as /],
    [undefined, 'https://example.org/api', /^--public-url: '\/api' is reserved for Lectern/],
    [
      '/docs',
      'https://example.org/other',
      /^--base-path: '\/docs' differs from the path of --public-url, '\/other'/,
    ],
    ['/', 'https://example.org/docs', /^--base-path: '' differs from the path of --public-url/],
  ];
  for (const [basePath, publicUrl, message] of REFUSED) {
    it(`refuse ${basePath} with ${publicUrl}`, () => {
      assert.throws(() => readPublicPlace(basePath, publicUrl), { name: 'StartError', message });
    });
  }
});

describe('--project-hosts', () => {
  const place = readPublicPlace(undefined, 'https://docs.example.org:8443');

  it('names the domain of the hosts, below the main host, beside it or elsewhere', () => {
    for (const [pattern, domain] of [
      ['*.docs.example.org', 'docs.example.org'],
      ['*.Pages.Example.net', 'pages.example.net'],
      ['*.localhost', 'localhost'],
      ['*.xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ]) {
      assert.deepEqual(withProjectHosts(place, pattern, true), {
        ...place,
        hosts: { main: 'https://docs.example.org:8443', domain, isRedirecting: true },
      });
    }
    assert.equal(withProjectHosts(place, undefined, false), place);
  });

  const REFUSED: readonly [why: string, set: () => unknown, message: RegExp][] = [
    ...[
      'docs.example.org',
      '*docs.example.org',
      '*.',
      '*.*.example.org',
      '*.docs..org',
      '*.-docs.org',
      '*.docs_x.org',
      '*.docs.example.org.',
      '*.docs.example.org:8080',
      'https://*.docs.example.org',
      '*.127.0.0.1',
      '*.bücher.example',
      `*.${'a'.repeat(64)}.org`,
      `*.${'a.'.repeat(95)}`,
    ].map((pattern): [string, () => unknown, RegExp] => [
      pattern,
      () => withProjectHosts(place, pattern, false),
      /^--project-hosts: expected \* and a domain, such as \*\.docs\.example\.org, not '/,
    ]),
    [
      'hosts without a public address',
      () => withProjectHosts(readPublicPlace(undefined, undefined), '*.docs.example.org', false),
      /^--project-hosts needs --public-url, the address of the main host/,
    ],
    [
      'hosts beside a path',
      () => withProjectHosts(readPublicPlace('/docs', 'https://example.org'), '*.docs.example.org', false),
      /^--project-hosts: the main host can't have a path, .* '\/docs'$/,
    ],
    [
      'a main host that a project could have',
      () => withProjectHosts(place, '*.example.org', false),
      /^--project-hosts: 'docs\.example\.org' of --public-url matches \*\.example\.org/,
    ],
    [
      'redirects without hosts',
      () => withProjectHosts(place, undefined, true),
      /^--project-hosts-redirect needs --project-hosts$/,
    ],
  ];
  for (const [why, set, message] of REFUSED) {
    it(`refuses ${why}`, () => {
      assert.throws(set, (error) => error instanceof StartError && message.test(error.message));
    });
  }
});
