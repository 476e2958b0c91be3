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
      summary: 'What the token may do',
      description: 'Never tells the secret. A valid token always may upload new versions of its projects.',
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
      summary: 'Makes a token with a part of the rights of the one that is sent',
      description:
        'Needs `allow_tokens`. At each use, the new token has what it was given and its maker still has, and every restriction and the end of both. It makes no tokens itself. A token makes at most 100.',
      needsToken: true,
      requestBody: 'NewToken',
      answers: { 201: { description: 'Made. The secret is not shown again.', body: 'NewTokenResult' } },
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
      summary: 'Lists the tokens that the token has made',
      description: 'With the rights that they have now, and the last day of use; never their secrets.',
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
      summary: 'Revokes a token',
      description:
        'Only the token that made it may. From then on it is 401, on every node within two seconds.',
      parameters: ['maker', 'tokenName'],
      needsToken: true,
      answers: { 200: { description: 'Revoked.', body: 'RevokedToken' } },
      refusals: ['tokens_not_allowed', 'token_not_found'],
      handle: async (asked, actor) => {
        const { maker = '', name = '' } = asked.params;
        await makeTokens.revoke(actor, { maker, name });
        const message = `${fullNameOf({ maker, name })} is revoked`;
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
