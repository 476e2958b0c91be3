import { fullNameOf, grantsOfMade, type MadeToken, type TokenGrants } from '../../../../domain/index.js';
import type { Body } from '../../../../formats/api/bodies.js';
import { grantsOf, tokenBody } from '../../../../formats/api/token-fields.js';
import type { AppParts } from '../../app-parts.js';
import { jsonAnswer } from '../../response/answer.js';
import type { ApiOperation } from '../api-operation.js';
import { jsonBodyOf } from '../query.js';

/**
 * `GET /api/token`: name and rights of the token that was sent. `/api/tokens`: makes tokens with a part of its rights, lists
 * and revokes them.
 */
export function tokenOperations({ useCases: { makeTokens } }: AppParts): readonly ApiOperation[] {
  return [
    {
      method: 'get',
      path: '/api/token',
      id: 'showToken',
      use: 'Publish',
      summary: 'Show the rights of the token',
      description: 'Never shows the secret. A valid token may always upload new versions of its projects.',
      needsToken: true,
      answers: { 200: { description: 'Name and rights of the token.', body: 'TokenInfo' } },
      handle: async (_asked, { name, policy: { grants } }) => {
        // A shared cache must not give the rights of one token to another.
        return jsonAnswer('TokenInfo', 200, tokenBody(name, grants), 'never');
      },
    },
    {
      method: 'post',
      path: '/api/tokens',
      id: 'makeToken',
      use: 'Tokens',
      summary: 'Create a token with a subset of your rights',
      description:
        'Requires `allow_tokens`. At each use, the new token has the rights that it was given and that its maker still has, and all restrictions and the earlier expiry of both. It cannot create tokens itself. A token can create at most 100.',
      needsToken: true,
      changes: 'make_token',
      requestBody: 'NewToken',
      answers: { 201: { description: 'Created. The secret is not shown again.', body: 'NewTokenResult' } },
      refusals: ['tokens_not_allowed', 'name_taken', 'unsupported_media_type'],
      handle: async (asked, actor) => {
        const { name, description, ...rights } = await jsonBodyOf(asked, 'NewToken');
        const request = { name, description, given: grantsOf(rights) };
        const { token, secret } = await makeTokens.make(actor, request);
        const made = madeBody(token, actor.policy.grants);
        return jsonAnswer('NewTokenResult', 201, { ...made, token: secret }, 'never');
      },
    },
    {
      method: 'get',
      path: '/api/tokens',
      id: 'listTokens',
      use: 'Tokens',
      summary: 'List the tokens that the token created',
      description: 'Shows their current rights and last day of use, but never their secrets.',
      needsToken: true,
      answers: { 200: { description: 'The tokens, by name.', body: 'TokenList' } },
      handle: async (_asked, actor) => {
        const made = await makeTokens.list(actor);
        const tokens = made.map((token) => madeBody(token, actor.policy.grants));
        return jsonAnswer('TokenList', 200, { tokens, count: tokens.length }, 'never');
      },
    },
    {
      method: 'delete',
      path: '/api/tokens/{maker}/{name}',
      id: 'revokeToken',
      use: 'Tokens',
      summary: 'Revoke a token',
      description:
        'Only the token that created it can revoke it. Afterwards it is rejected with 401, on all nodes within two seconds.',
      parameters: ['maker', 'tokenName'],
      needsToken: true,
      changes: 'revoke_token',
      answers: { 200: { description: 'Revoked.', body: 'RevokedToken' } },
      refusals: ['tokens_not_allowed', 'token_not_found'],
      handle: async (asked, actor) => {
        const { maker = '', name = '' } = asked.params;
        await makeTokens.revoke(actor, { maker, name });
        const message = `Revoked token ${fullNameOf({ maker, name })}`;
        return jsonAnswer('RevokedToken', 200, { success: true, message });
      },
    },
  ];
}

/** @param maker the rights of its maker now */
function madeBody(token: MadeToken, maker: TokenGrants): Body<'MadeToken'> {
  const { given, description, madeAt, usedOn } = token;
  return {
    ...tokenBody(fullNameOf(token), grantsOfMade(given, maker)),
    ...(description === undefined ? {} : { description }),
    made_at: madeAt.toISOString(),
    ...(usedOn === undefined ? {} : { last_used: usedOn }),
  };
}
