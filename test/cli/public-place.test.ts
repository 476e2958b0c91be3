import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPublicPlace } from '../../src/adapters/cli/options/public-place.js';

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
      /^--base-path: '\/(?:api|-|help)' is an address of Lectern's own/,
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
    [undefined, 'https://example.org/api', /^--public-url: '\/api' is an address of Lectern's own/],
    [
      '/docs',
      'https://example.org/other',
      /^--base-path: '\/docs' is not the path of --public-url, '\/other'/,
    ],
    ['/', 'https://example.org/docs', /^--base-path: '' is not the path of --public-url/],
  ];
  for (const [basePath, publicUrl, message] of REFUSED) {
    it(`refuse ${basePath} with ${publicUrl}`, () => {
      assert.throws(() => readPublicPlace(basePath, publicUrl), { name: 'StartError', message });
    });
  }
});
