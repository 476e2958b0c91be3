import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { JsonTokenRegistry } from '../../../src/adapters/json/index.js';
import { basic } from '../../support/credentials.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';
import { zipOf } from '../../support/zip-writer.js';

const TOKENS = {
  all: { token: 'secret-all', allow_overwrite: true, allow_delete: true, allow_manage: true },
  owner: {
    token: 'secret-owner',
    projects: ['vault'],
    allow_overwrite: true,
    allow_delete: true,
    allow_manage: true,
  },
  uploader: { token: 'secret-uploader', projects: ['vault'] },
  previews: { token: 'secret-previews', projects: ['vault'], previews_only: true },
  reader: { token: 'secret-reader', projects: [], read: ['vault'] },
  stranger: {
    token: 'secret-stranger',
    projects: ['shown'],
    allow_overwrite: true,
    allow_delete: true,
    allow_manage: true,
  },
  expired: { token: 'secret-expired', expires: '2020-01-01' },
};
const AS_TOKEN = (name: keyof typeof TOKENS) => ({ 'X-Token': `secret-${name}` });
/** Actions on a project. */
const DEEDS = ['read', 'upload', 'replace', 'describe', 'hide', 'delete'] as const;
type Deed = (typeof DEEDS)[number];

/**
 * Statuses, about a private project. A change without a token is 401 whatever there is; with one that is not for the project
 * it is 403, whether the project is there or not.
 */
const TABLE: readonly (readonly [
  who: string,
  headers: Readonly<Record<string, string>>,
  ...statuses: readonly [number, number, number, number, number, number],
])[] = [
  ['nobody', AS.nobody, 404, 401, 401, 401, 401, 401],
  ['a person whom no rule names', AS.bob, 404, 401, 401, 401, 401, 401],
  ['a person with a right', AS.ann, 200, 401, 401, 401, 401, 401],
  ['a member of a group with a right', AS.insider, 200, 401, 401, 401, 401, 401],
  ['a token for every project', AS_TOKEN('all'), 200, 201, 200, 200, 200, 200],
  ['a token for the project', AS_TOKEN('owner'), 200, 201, 200, 200, 200, 200],
  ['a token that only uploads', AS_TOKEN('uploader'), 200, 201, 409, 403, 403, 403],
  ['a token for previews', AS_TOKEN('previews'), 200, 403, 403, 403, 403, 403],
  ['a token that reads', AS_TOKEN('reader'), 200, 403, 403, 403, 403, 403],
  [
    'a token that reads, as a bearer token',
    { Authorization: 'Bearer secret-reader' },
    200,
    401,
    401,
    401,
    401,
    401,
  ],
  ['a token that reads, as a password', basic('any', 'secret-reader'), 200, 401, 401, 401, 401, 401],
  ['a token for the project, as a password', basic('any', 'secret-owner'), 200, 401, 401, 401, 401, 401],
  ["a proxy's password", AS.login, 404, 401, 401, 401, 401, 401],
  ['a token for another project', AS_TOKEN('stranger'), 404, 403, 403, 403, 403, 403],
  [
    'a person with a right and such a token',
    { ...AS.ann, ...AS_TOKEN('stranger') },
    404,
    403,
    403,
    403,
    403,
    403,
  ],
  ['a wrong token', { 'X-Token': 'wrong' }, 401, 401, 401, 401, 401, 401],
  [
    'a person with a right and a wrong token',
    { ...AS.ann, 'X-Token': 'wrong' },
    401,
    401,
    401,
    401,
    401,
    401,
  ],
  ['an expired token', AS_TOKEN('expired'), 401, 401, 401, 401, 401, 401],
];

describe('Rights on a private project', () => {
  let server: TestServer;

  before(async () => {
    const tokens = JsonTokenRegistry.parse(JSON.stringify({ tokens: TOKENS }));
    server = await TestServer.start({ ...withPrivate(), tokens });
    await server.upload('shown-1.0-docs.zip', undefined, 'all');
  });
  after(() => server.close());

  /** Performs an action on a project, which has a version 1.0 unless it is `missing`. */
  const done = async (deed: Deed, project: string, headers: Readonly<Record<string, string>>) => {
    const upload = (label: string) => {
      const form = new FormData();
      form.set(
        'file',
        new Blob([new Uint8Array(zipOf({ 'index.html': 'new' }))]),
        `${project}-${label}-docs.zip`,
      );
      return server.fetch('/api/upload', { method: 'POST', headers, body: form });
    };
    const asked = (method: string, path: string, body?: string) =>
      server.fetch(path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      });
    const deeds: Readonly<Record<Deed, () => Promise<Response>>> = {
      read: () => asked('GET', `/${project}-1.0/`),
      upload: () => upload('2.0'),
      replace: () => upload('1.0'),
      describe: () => asked('PUT', `/api/projects/${project}`, '{"title":"T"}'),
      hide: () => asked('PUT', `/api/hidden/${project}/1.0`),
      delete: () => asked('DELETE', `/api/delete/${project}/1.0`),
    };
    const response = await deeds[deed]();
    return { status: response.status, headers: response.headers, body: await response.text() };
  };

  for (const [who, headers, ...statuses] of TABLE) {
    it(`give ${who} ${DEEDS.map((deed, index) => `${deed} ${statuses[index]}`).join(', ')}`, async () => {
      await server.upload('vault-1.0-docs.zip', { 'index.html': 'old' }, 'all');
      await server.delete('vault/2.0', 'all');
      for (const [index, deed] of DEEDS.entries()) {
        const { status, body } = await done(deed, 'vault', headers);
        assert.equal(status, statuses[index], `${deed}: ${body}`);
      }
      const labels = async () => {
        const response = await server.get('/api/projects/vault', AS_TOKEN('all'));
        if (response.status !== 200) return [];
        return ((await response.json()) as { versions: { version: string }[] }).versions.map(
          ({ version }) => version,
        );
      };
      const [, upload, , , , remove] = statuses;
      assert.deepEqual(await labels(), [
        ...(remove === 200 ? [] : ['1.0']),
        ...(upload === 201 ? ['2.0'] : []),
      ]);
    });
  }

  it('reveal no more about a change to unauthorised readers than for a missing project', async () => {
    await server.upload('vault-1.0-docs.zip', undefined, 'all');
    const alike = ({ status, body }: { status: number; body: string }, name: string) => [
      status,
      body.replaceAll(name, 'PROJECT'),
    ];
    for (const headers of [AS.nobody, AS.bob, AS.ann, AS_TOKEN('stranger'), AS_TOKEN('expired'), AS.login]) {
      for (const deed of DEEDS.filter((each) => each !== 'read')) {
        const [there, missing] = [await done(deed, 'vault', headers), await done(deed, 'qqqqq', headers)];
        assert.deepEqual(alike(there, 'vault'), alike(missing, 'qqqqq'), deed);
      }
    }
  });

  it('are logged with the name of the reading token, even an expired one', async () => {
    await server.upload('vault-1.0-docs.zip', undefined, 'all');
    const lines = server.log.length;
    for (const token of ['reader', 'expired'] as const) await done('read', 'vault', AS_TOKEN(token));
    const logged = server.log.slice(lines) as { path?: string; status?: number; token?: string }[];
    assert.deepEqual(
      logged.map(({ path, status, token }) => [path, status, token]),
      [
        ['/vault-1.0/', 200, 'reader'],
        ['/vault-1.0/', 401, 'expired'],
      ],
    );
  });

  it("reveal nothing in the response to a token's own upload, nor to its readers", async () => {
    const tokens = JsonTokenRegistry.parse(
      JSON.stringify({
        tokens: { admin: { token: 'secret-admin' }, team: { token: 'secret-team', projects: ['vault-pr'] } },
      }),
    );
    const other = await TestServer.start({ ...withPrivate(), tokens });
    try {
      await other.upload('vault-1.0-docs.zip');
      const told = async (fileName: string, token: string) =>
        JSON.stringify(await (await other.upload(fileName, undefined, token)).json());
      // A token that may know of `vault` is told how a preview of it is named.
      assert.match(await told('vault-mr-1-docs.zip', 'admin'), /vault~mr-1/);
      assert.doesNotMatch(await told('vault-pr-1-docs.zip', 'team'), /vault~|preview/);
      // Readers of the new project are told nothing.
      assert.doesNotMatch(await (await other.get('/-/projects/vault-mr')).text(), /vault~|warning/);
    } finally {
      await other.close();
    }
  });
});

describe('A server without access rules', () => {
  it("ignores a wrong token on a read, and a proxy's identity headers", async () => {
    const server = await TestServer.start();
    try {
      await server.upload('a-1.0-docs.zip');
      const plain = await server.get('/a-1.0/');
      for (const headers of [
        { 'X-Token': 'wrong' },
        { Authorization: 'Bearer wrong' },
        basic('ann', 'wrong'),
        AS.ann,
      ]) {
        const response = await server.get('/a-1.0/', headers);
        assert.equal(response.status, 200);
        const told = (each: Response) =>
          [...each.headers].filter(([name]) => !/^(?:x-request-id|date)$/.test(name));
        assert.deepEqual(told(response), told(plain));
      }
    } finally {
      await server.close();
    }
  });
});
