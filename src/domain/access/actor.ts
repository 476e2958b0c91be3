import { type TokenGrants, TokenPolicy } from './token-policy.js';

/** The rights of the server itself: all there are. */
const ALL: TokenGrants = { allowOverwrite: true, allowDelete: true, allowManage: true };

/** Whoever asks for something: the holder of a token, a job with a token of its issuer, or the server by itself. */
export interface Actor {
  /** `server` also stands for a command that works on a store by itself. */
  readonly kind: 'token' | 'job' | 'server';
  /** Name of the token, never its secret; of the job's entry in `trusted_issuers`; or of the server's task: `retention`. */
  readonly name: string;
  /** Of a job: what its issuer says that it is, as it came. */
  readonly subject?: string;
  readonly policy: TokenPolicy;
  /** Name of the token that made this one, whose share of uploads it has; absent for one of the tokens file. */
  readonly maker?: string;
}

/** The holder of a token. */
export function tokenActor(name: string, grants?: TokenGrants): Actor {
  return { kind: 'token', name, policy: new TokenPolicy(name, grants) };
}

/** A job that its issuer vouches for. @param name of the entry in `trusted_issuers` */
export function jobActor(name: string, subject: string, grants: TokenGrants): Actor {
  return { kind: 'job', name, subject, policy: new TokenPolicy(name, grants) };
}

/** The server, or a command, at one of its tasks. It may do everything, unless it is given less. */
export function serverActor(name: string, grants = ALL): Actor {
  return { kind: 'server', name, policy: new TokenPolicy(name, grants) };
}
