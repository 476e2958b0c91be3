import { tokenBody } from '../../../../formats/api/token-body.js';
import { answer } from '../answer.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/token`: name and rights of the token that was sent. */
export function tokenOperation(): ApiOperation {
  return {
    method: 'get',
    path: '/api/token',
    id: 'showToken',
    use: 'Publish',
    summary: 'What the token may do',
    description: 'Never tells the secret. A valid token always may upload new versions of its projects.',
    needsToken: true,
    answers: { 200: { description: 'Name and rights of the token.', body: 'TokenInfo' } },
    refusals: [],
    handle: async (ctx, { name, policy: { grants } }) => {
      // A shared cache must not give the rights of one token to another.
      answer(ctx, 'TokenInfo', 200, tokenBody(name, grants), 'never');
    },
  };
}
