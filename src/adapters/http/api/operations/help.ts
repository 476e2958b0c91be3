import { STATUS_OF } from '../../../../formats/index.js';
import type { AppParts } from '../../app-parts.js';
import { sendOwnPage } from '../../own/own-page.js';
import { setCachePolicy } from '../../response/cache-policy.js';
import { preferredType } from '../../response/negotiation.js';
import type { ApiOperation } from '../api-operation.js';

/** `GET /api/help`: how to use this server, as text or as a page. */
export function helpOperation({ pages, at }: AppParts): ApiOperation {
  return {
    method: 'get',
    path: '/api/help',
    id: 'help',
    use: 'Server',
    summary: 'How to use this server',
    description: 'Plain text for programs; a page when `Accept` prefers HTML.',
    answers: {
      200: {
        description: 'The help.',
        body: { 'text/plain': { schema: { type: 'string' } } },
        headers: ['Vary'],
      },
    },
    refusals: [],
    handle: async (ctx) => {
      ctx.vary('Accept');
      const facts = { address: at.of(ctx), statuses: STATUS_OF };
      if (preferredType(ctx, 'text/plain', 'text/html') === 'text/html') {
        return sendOwnPage(ctx, pages.help(facts));
      }
      setCachePolicy(ctx, 'revalidate');
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = pages.helpText(facts);
    },
  };
}
