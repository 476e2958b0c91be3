import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import type { TokenRegistry } from '../../src/application/index.js';
import type { TokenGrants } from '../../src/domain/index.js';
import { type Json, TestServer } from '../support/server.js';
import { zipOf } from '../support/zip-writer.js';
import { document, tableOf } from './markdown.js';

const DEEDS = [
  ...['New version', 'New project', 'Other project', 'Replace'],
  ...['Delete', 'Settings', 'Preview', 'Make tokens'],
] as const;

const RIGHTS = { allowOverwrite: true, allowDelete: true, allowManage: true };
const ALL = { ...RIGHTS, allowTokens: true };
const OWN = { projects: ['a*'] };

/** A row of the table: the rights of the token, or of the one that makes it, before and after. */
interface Row {
  readonly grants: TokenGrants;
  readonly made?: true;
  /** The rights that its maker has afterwards; `gone`: it is taken out. */
  readonly later?: TokenGrants | 'gone';
}

const ROWS: Readonly<Record<string, Row>> = {
  '`projects` alone': { grants: OWN },
  'without `projects`': { grants: {} },
  '`projects` is `[]`, with `read`': { grants: { projects: [], read: ['a*'] } },
  '`allow_overwrite`': { grants: { ...OWN, allowOverwrite: true } },
  '`allow_delete`': { grants: { ...OWN, allowDelete: true } },
  '`allow_manage`': { grants: { ...OWN, allowManage: true } },
  '`existing_projects_only`': { grants: { ...OWN, existingProjectsOnly: true } },
  '`previews_only`, with all rights': { grants: { ...OWN, ...RIGHTS, previewsOnly: true } },
  '`allow_tokens`': { grants: { ...OWN, allowTokens: true } },
  'all rights': { grants: { ...OWN, ...ALL } },
  'all rights, expired': { grants: { ...OWN, ...ALL, expiresAt: new Date('2020-01-01T00:00:00Z') } },
  'made by one with all rights, with all that it can hand on': { grants: { ...OWN, ...ALL }, made: true },
  'made by one with all rights, which has lost `allow_delete` since': {
    grants: { ...OWN, ...ALL },
    made: true,
    later: { ...OWN, ...ALL, allowDelete: false },
  },
  'made by one that was taken out of the tokens file': {
    grants: { ...OWN, ...ALL },
    made: true,
    later: 'gone',
  },
  'none, or an unknown one': { grants: {}, later: 'gone' },
};

/** Makes a token with all that its maker can hand on. @returns its secret */
async function madeWith(server: TestServer): Promise<string> {
  const response = await fetch(`${server.url}/api/tokens`, {
    method: 'POST',
    headers: { 'X-Token': 'secret-holder', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ name: 'made', projects: OWN.projects },
      ...{ allow_overwrite: true, allow_delete: true, allow_manage: true },
    }),
  });
  return ((await response.json()) as Json).token;
}

/** Tries a deed. @returns whether the server did it */
async function isDone(deed: (typeof DEEDS)[number], server: TestServer, secret: string): Promise<boolean> {
  const upload = (name: string) => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'x' }))]), `${name}-docs.zip`);
    return fetch(`${server.url}/api/upload`, { method: 'POST', headers: { 'X-Token': secret }, body });
  };
  const send = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/api/${path}`, {
      method,
      headers: { 'X-Token': secret, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const deeds: Readonly<Record<(typeof DEEDS)[number], () => Promise<Response>>> = {
    'New version': () => upload('a-2.0'),
    'New project': () => upload('ab-1.0'),
    'Other project': () => upload('b-1.0'),
    Replace: () => upload('a-1.0'),
    Preview: () => upload('a~pr-1'),
    Settings: () => send('PUT', 'hidden/a/1.0'),
    'Make tokens': () => send('POST', 'tokens', { name: 'another', projects: [] }),
    Delete: () => send('DELETE', 'delete/a/1.0'),
  };
  const { status } = await deeds[deed]();
  assert.ok([200, 201, 401, 403, 409].includes(status), `${deed}: ${status}`);
  return status < 300;
}

describe('The permission table', async () => {
  const table = tableOf(await document('docs/configuration.md'), 'Token', ...DEEDS);

  it('has the rows that are tested', () => {
    assert.deepEqual(
      table.map(([token]) => token),
      Object.keys(ROWS),
    );
  });

  for (const [title, { grants, made, later }] of Object.entries(ROWS)) {
    it(`is true of a token: ${title}`, async () => {
      const admin = { name: 'admin', secret: 'secret-admin' };
      const withHolder = (holder: TokenGrants) =>
        new MemoryTokenRegistry([admin, { name: 'holder', secret: 'secret-holder', ...holder }]);
      let known = withHolder(grants);
      const tokens: TokenRegistry = {
        isConfigured: true,
        authenticate: (credential) => known.authenticate(credential),
        holders: () => known.holders(),
      };
      const server = await TestServer.start({ tokens });
      try {
        assert.equal((await server.upload('a-1.0-docs.zip')).status, 201);
        const secret = made === true ? await madeWith(server) : 'secret-holder';
        if (later === 'gone') known = new MemoryTokenRegistry([admin]);
        else if (later !== undefined) known = withHolder(later);
        const found: string[] = [];
        for (const deed of DEEDS) {
          // A deed may need the version that an earlier one has removed.
          await server.upload('a-1.0-docs.zip');
          found.push((await isDone(deed, server, secret)) ? 'yes' : 'no');
        }
        const [, ...expected] = table.find(([token]) => token === title) ?? [];
        assert.deepEqual(found, expected);
      } finally {
        await server.close();
      }
    });
  }
});
