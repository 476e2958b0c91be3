import { METHODS } from 'node:http';
import { Refusal } from '../../../domain/index.js';
import type { Readers, Visitor } from '../access/readers.js';
import type { AppParts, OwnRoute } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { METADATA_PATH, PRIVATE_MCP_PATH, type PublicAddress } from '../public-address.js';
import { type Handle, JSON_TYPE } from '../response/answer.js';

/**
 * Paths that answer an unknown credential with how or where to sign in: there is no other way to get a new one.
 */
export const SIGN_IN_PATHS: ReadonlySet<string> = new Set([
  PRIVATE_MCP_PATH,
  METADATA_PATH + PRIVATE_MCP_PATH,
]);

/**
 * Routes of `/-/mcp/private`: the Model Context Protocol for those who sign in, at the issuers of people. There are none of both
 * while there are no such issuers.
 * @param answer answers as `/-/mcp` does
 * @param isAllowed whether a request comes from an origin that may ask
 */
export function privateMcpRoutes(
  parts: AppParts,
  answer: Handle,
  isAllowed: (origin: string | undefined) => boolean,
): readonly OwnRoute[] {
  const { readers, at } = parts;
  return [
    {
      path: PRIVATE_MCP_PATH,
      methods: METHODS,
      handle: async (asked) => {
        const { visitor, headers } = asked;
        const resource = resourceOf(readers, at, visitor);
        // Before anything else: pages of other sites must not find out whether somebody has signed in.
        if (isAllowed(headers.origin)) assertKnown(visitor, resource, readers);
        return answer(asked);
      },
    },
    {
      path: METADATA_PATH + PRIVATE_MCP_PATH,
      handle: async ({ visitor }) => {
        const resource = resourceOf(readers, at, visitor);
        return {
          status: 200,
          cache: 'never',
          body: { type: JSON_TYPE, content: JSON.stringify(metadataOf(resource, readers)) },
        };
      },
    },
  ];
}

/** @throws HttpFault `not_found` where nobody can sign in, or why the visitor is unknown */
function resourceOf({ issuers }: Readers, { resource }: PublicAddress, { whose }: Visitor): string {
  if (issuers.length > 0 && resource !== undefined) return resource;
  if (whose.kind === 'unknown') throw whose.error;
  throw new HttpFault('not_found', 'Sign-in is not configured: the access file has no people_issuers');
}

/** @throws HttpFault `authentication_required` with the challenge of RFC 9728, section 5.1; another error that keeps the visitor unknown */
function assertKnown({ whose }: Visitor, resource: string, readers: Readers): void {
  if (whose.kind !== 'unknown' && whose.kind !== 'nobody') return;
  const { error } = whose.kind === 'unknown' ? whose : { error: undefined };
  const isWrong = error !== undefined;
  if (isWrong && !(error instanceof Refusal && error.code === 'authentication_required')) throw error;
  const { origin } = new URL(resource);
  const scope = scopesOf(readers).join(' ');
  const challenge = [
    `resource_metadata="${origin}${METADATA_PATH}${resource.slice(origin.length)}"`,
    ...(scope === '' ? [] : [`scope="${scope}"`]),
    ...(isWrong ? ['error="invalid_token"'] : []),
  ];
  throw new HttpFault(
    'authentication_required',
    isWrong ? (error as Refusal).message : 'Sign in, or send a token',
    { 'WWW-Authenticate': `Bearer ${challenge.join(', ')}` },
  );
}

/** The metadata of a protected resource (RFC 9728, section 2). */
function metadataOf(resource: string, readers: Readers): object {
  const scopes = scopesOf(readers);
  return {
    resource,
    authorization_servers: [...new Set(readers.issuers.map(({ issuer }) => issuer))],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  };
}

function scopesOf({ issuers }: Readers): readonly string[] {
  return [...new Set(issuers.flatMap(({ scopes }) => scopes))];
}
