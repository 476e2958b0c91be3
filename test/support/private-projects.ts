import { JsonTokenRegistry } from '../../src/adapters/json/index.js';
import type { PeopleTokens } from '../../src/application/index.js';
import { AccessPolicy, type AccessRules, type Audience, refuse } from '../../src/domain/index.js';
import { TrustedProxies } from '../../src/node/trusted-proxies.js';
import { basic } from './credentials.js';
import type { TestServer, TestServerOptions } from './server.js';

/** A rule for people and groups. */
export const some = (people: readonly string[], groups: readonly string[] = []): Audience => ({
  people: new Set(people),
  groups: new Set(groups),
});

/** `vault` is for Ann, for a group, and for tokens that name it; everything else is for everybody. */
export const RULES: AccessRules = {
  default: 'public',
  projects: new Map([['vault', some(['ann'], ['insiders'])]]),
};

/** Rules that a test can change, as a change of the access file does. */
export class ChangingAccess {
  private edition = 1;
  policy: AccessPolicy;
  readonly peopleIssuers = [
    {
      name: 'company',
      issuer: 'https://login.example.org',
      audience: ['https://docs.example.org/-/mcp/private'],
      user: 'sub',
      scopes: ['docs:read'],
      require: new Map(),
    },
  ];

  constructor(rules: AccessRules = RULES) {
    this.policy = new AccessPolicy(rules, '1');
  }

  change(rules: AccessRules): void {
    this.policy = this.next(rules);
  }

  /** Changes the rules as a server does that has links for web servers. */
  async changeOn(server: TestServer, rules: AccessRules): Promise<void> {
    const policy = this.next(rules);
    await server.showInPublic(policy.ofNobody);
    this.policy = policy;
  }

  private next(rules: AccessRules): AccessPolicy {
    this.edition += 1;
    return new AccessPolicy(rules, `${this.edition}`);
  }
}

const TOKENS = {
  tokens: {
    admin: { token: 'secret-admin', allow_overwrite: true, allow_delete: true, allow_manage: true },
    reader: { token: 'secret-reader', projects: [], read: ['vault'] },
    owner: { token: 'secret-owner', projects: ['vault'], allow_manage: true },
    stranger: {
      token: 'secret-stranger',
      projects: ['shown'],
      allow_overwrite: true,
      allow_delete: true,
      allow_manage: true,
    },
  },
};

/** Access tokens of three people, and one of somebody who is not taken here. Signatures are those of `test/issuers`. */
const PEOPLE: PeopleTokens = {
  personOf: async (token) => {
    if (token === 'of.ann.x') return { kind: 'person', name: 'ann', groups: [] };
    if (token === 'of.bob.x') return { kind: 'person', name: 'bob', groups: ['crew', 'staff'] };
    if (token === 'of.ida.x') return { kind: 'person', name: 'ida', groups: ['staff', 'insiders'] };
    if (token === 'of.eve.x') throw refuse.personNotAccepted('her name is another one');
    return undefined;
  },
};

/** Options of a server on which `vault` is private, behind a proxy at 127.0.0.1 that says who somebody is. */
export function withPrivate(access: ChangingAccess = new ChangingAccess()): TestServerOptions {
  return {
    access,
    peopleTokens: PEOPLE,
    tokens: JsonTokenRegistry.parse(JSON.stringify(TOKENS)),
    people: {
      userHeader: 'x-user',
      groupsHeader: 'x-groups',
      proxies: new TrustedProxies('127.0.0.1'),
      signInUrl: '/oauth2/start?rd={url}',
    },
  };
}

/** Headers of requests, by who sends them. */
export const AS = {
  nobody: {},
  bob: { 'X-User': 'bob', 'X-Groups': 'crew, staff' },
  ann: { 'X-User': 'ann' },
  insider: { 'X-User': 'ida', 'X-Groups': 'staff,insiders' },
  reader: { 'X-Token': 'secret-reader' },
  owner: { 'X-Token': 'secret-owner' },
  stranger: { 'X-Token': 'secret-stranger' },
  bearer: { Authorization: 'Bearer secret-reader' },
  'ann by access token': { Authorization: 'Bearer of.ann.x' },
  'bob by access token': { Authorization: 'Bearer of.bob.x' },
  'insider by access token': { Authorization: 'Bearer of.ida.x' },
  basic: basic('sphinx', 'secret-reader'),
  /** With a login of a proxy. */
  login: basic('bob', 'hunter2'),
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
