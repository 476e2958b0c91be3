import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { MemoryDocStore, type MemoryToken, MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { Authenticate, Changes, MakeTokens, TokensWithMade } from '../../src/application/index.js';
import { type Actor, fullNameOf, jobActor, MAX_MADE, MAX_MADE_BY_ONE } from '../../src/domain/index.js';
import { until } from '../support/until.js';

const NOW = new Date('2027-01-01T12:00:00.000Z');
const TEAM: MemoryToken = {
  ...{ name: 'team', secret: 'team', projects: ['a', 'pay-*'], allowOverwrite: true, allowTokens: true },
};
const OTHER: MemoryToken = { name: 'other', secret: 'other', allowTokens: true };

describe('Tokens made by other tokens', () => {
  let docs: MemoryDocStore;
  /** Current content of the tokens file. */
  let file: MemoryTokenRegistry;
  let authenticate: Authenticate;
  let tokens: MakeTokens;
  beforeEach(() => {
    docs = new MemoryDocStore();
    file = new MemoryTokenRegistry([TEAM, OTHER]);
    const own = {
      isConfigured: true,
      authenticate: (...asked: Parameters<MemoryTokenRegistry['authenticate']>) =>
        file.authenticate(...asked),
      holders: () => file.holders(),
    };
    const known = new TokensWithMade(own, docs, new Changes(docs));
    authenticate = new Authenticate(known);
    tokens = new MakeTokens(known, docs, new Changes(docs));
  });

  const holder = (secret: string, now = NOW) => authenticate.execute({ scheme: 'token', secret }, now);
  const make = async (name: string, given = {}, maker = 'team') =>
    tokens.make(await holder(maker), { name, given: { projects: ['a'], ...given } }, NOW);
  const mayUpload = ({ policy }: Actor, project: string, versionExists = false) =>
    policy.whyNotUpload({ project, label: '1', projectExists: true, versionExists }) === undefined;

  it('authenticate by their secrets, of which the store keeps only the SHA-256', async () => {
    const { secret } = await make('ci', { allowOverwrite: true });
    const actor = await holder(secret);
    assert.deepEqual([actor.name, actor.maker, mayUpload(actor, 'a', true)], ['team/ci', 'team', true]);
    assert.equal(mayUpload(actor, 'pay-api'), false);
    assert.match(secret, /^[\w-]{43}$/);
    const kept = await docs.madeTokens();
    assert.ok(!JSON.stringify(kept).includes(secret));
    await assert.rejects(holder(kept[0]?.sha256 ?? ''), { code: 'authentication_required' });
  });

  it('lose the rights their maker loses, regain them, and end with their maker', async () => {
    const { secret } = await make('ci', { projects: ['a', 'pay-api'], allowOverwrite: true });
    file = new MemoryTokenRegistry([{ ...TEAM, projects: ['a'], allowOverwrite: false }]);
    const less = await holder(secret);
    assert.deepEqual(
      [mayUpload(less, 'a'), mayUpload(less, 'a', true), mayUpload(less, 'pay-api')],
      [true, false, false],
    );
    file = new MemoryTokenRegistry([{ ...TEAM, previewsOnly: true, expiresAt: new Date(NOW.getTime() + 1) }]);
    assert.equal(mayUpload(await holder(secret), 'a'), false);
    await assert.rejects(holder(secret, new Date(NOW.getTime() + 1)), { message: /'team\/ci' has expired/ });
    file = new MemoryTokenRegistry([OTHER]);
    await assert.rejects(holder(secret), { code: 'authentication_required', message: /is unknown/ });
    file = new MemoryTokenRegistry([{ ...TEAM, secret: 'another secret' }]);
    assert.equal(mayUpload(await holder(secret), 'a', true), true);
  });

  it('are listed for their maker only, with the last day of use', async () => {
    const { secret } = await make('b');
    await make('a');
    await make('c', {}, 'other');
    await holder(secret);
    await until(async () => (await docs.madeTokens()).some(({ usedOn }) => usedOn === '2027-01-01'));
    assert.deepEqual(
      (await tokens.list(await holder('team'))).map((each) => [fullNameOf(each), each.usedOn]),
      [
        ['team/a', undefined],
        ['team/b', '2027-01-01'],
      ],
    );
    await holder(secret, new Date('2027-01-02T00:00:00Z'));
    await until(async () => (await docs.madeTokens()).some(({ usedOn }) => usedOn === '2027-01-02'));
  });

  it('are revoked by their maker only', async () => {
    const { secret } = await make('ci');
    const which = { maker: 'team', name: 'ci' };
    for (const [maker, code] of [
      ['other', 'tokens_not_allowed'],
      [secret, 'tokens_not_allowed'],
    ] as const) {
      await assert.rejects(tokens.revoke(await holder(maker), which), { code });
    }
    await assert.rejects(tokens.revoke(await holder('team'), { ...which, name: 'x' }), {
      code: 'token_not_found',
    });
    assert.equal((await holder(secret)).name, 'team/ci');
    await tokens.revoke(await holder('team'), which);
    await assert.rejects(holder(secret), { code: 'authentication_required' });
    assert.equal((await docs.madeTokens()).length, 0);
  });

  it('have unique names, also among the names of the tokens file', async () => {
    await make('ci');
    file = new MemoryTokenRegistry([TEAM, OTHER, { name: 'team/file', secret: 'x' }]);
    for (const name of ['ci', 'file']) await assert.rejects(make(name), { code: 'name_taken' });
    await make('ci', {}, 'other');
    assert.equal((await docs.madeTokens()).length, 2);
  });

  it('are known by maker and name, beside similarly named tokens of the file', async () => {
    const team = { secret: 'team', allowTokens: true };
    file = new MemoryTokenRegistry([{ name: 'ci', ...team }]);
    const made = (await make('x')).secret;
    file = new MemoryTokenRegistry([
      { name: 'ci', ...team },
      { name: 'ci/x', secret: 'file', allowTokens: true },
    ]);
    const other = (await make('y', {}, 'file')).secret;
    const names = async () => (await docs.madeTokens()).map(fullNameOf);

    const revoke = async (secret: string, maker: string, name: string) =>
      tokens.revoke(await holder(secret), { maker, name });
    await assert.rejects(revoke('team', 'ci', 'x/y'), { code: 'token_not_found' });
    await assert.rejects(revoke('team', 'ci/x', 'y'), { code: 'tokens_not_allowed' });
    await assert.rejects(revoke(made, 'ci/x', 'y'), { code: 'tokens_not_allowed' });
    await assert.rejects(revoke('file', 'ci', 'x'), { code: 'tokens_not_allowed' });
    const job = jobActor('ci', 'of an entry that came later', { allowTokens: true });
    await assert.rejects(tokens.revoke(job, { maker: 'ci', name: 'x' }), { code: 'tokens_not_allowed' });
    assert.deepEqual(await names(), ['ci/x', 'ci/x/y']);

    const listed = async (actor: Actor) => (await tokens.list(actor)).map(fullNameOf);
    assert.deepEqual(await listed(await holder('team')), ['ci/x']);
    assert.deepEqual(await listed(await holder('file')), ['ci/x/y']);
    for (const actor of [await holder(made), job]) assert.deepEqual(await listed(actor), []);

    await revoke('file', 'ci/x', 'y');
    await assert.rejects(holder(other), { code: 'authentication_required' });
    assert.equal((await holder(made)).maker, 'ci');
  });

  it(`are at most ${MAX_MADE_BY_ONE} of one, and ${MAX_MADE} in all`, async () => {
    const { token } = await make('ci');
    const several = (maker: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...token,
        maker,
        name: `t${index}`,
        sha256: `${index}`,
      }));
    await docs.changeMadeTokens(() => several('team', MAX_MADE_BY_ONE));
    await assert.rejects(make('ci'), {
      code: 'tokens_not_allowed',
      message: /created 100 tokens, the maximum; revoke some/,
    });
    await make('ci', {}, 'other');
    await docs.changeMadeTokens(() => several('third', MAX_MADE));
    await assert.rejects(make('ci', {}, 'other'), {
      code: 'tokens_not_allowed',
      message: /1000 tokens created by tokens/,
    });
    assert.equal((await docs.madeTokens()).length, MAX_MADE);
  });

  it('are ignored on a server without tokens', async () => {
    await docs.changeMadeTokens((all) => all);
    const { secret } = await make('ci');
    const known = new TokensWithMade(new MemoryTokenRegistry(), docs, new Changes(docs));
    assert.equal(await known.authenticate({ scheme: 'token', secret }, NOW), undefined);
    await assert.rejects(
      new Authenticate(known).execute({ scheme: 'token', secret }),
      /No tokens are configured/,
    );
  });
});
