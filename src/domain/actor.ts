import { type TokenGrants, TokenPolicy } from './token-policy.js';

/** Whoever asks for something: the holder of a token, or the server by itself. */
export interface Actor {
  /** `server` also stands for a command that works on a store by itself. */
  readonly kind: 'token' | 'server';
  /** Name of the token, never its secret; or of the server's task, such as `retention`. */
  readonly name: string;
  readonly policy: TokenPolicy;
}

/** The rights of the server itself: all there are. */
const ALL: TokenGrants = { allowOverwrite: true, allowDelete: true, allowManage: true };

/** The holder of a token. */
export function tokenActor(name: string, grants?: TokenGrants): Actor {
  return { kind: 'token', name, policy: new TokenPolicy(name, grants) };
}

/** The server, or a command, at one of its tasks. It may do everything, unless it is given less. */
export function serverActor(name: string, grants = ALL): Actor {
  return { kind: 'server', name, policy: new TokenPolicy(name, grants) };
}
