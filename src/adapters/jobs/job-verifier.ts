import { decodeJwt, errors, jwtVerify } from 'jose';
import {
  type Actor,
  type Claims,
  jobOf,
  Refusal,
  refuse,
  subjectOf,
  type TrustedIssuer,
} from '../../domain/index.js';
import { IssuerKeys, type IssuerKeysOptions } from './issuer-keys.js';

/** Signatures by keys of an issuer. None with a secret that both sides have (RFC 8725, section 3.1). */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
/** Seconds by which the clocks of issuer and server may differ. */
const MAX_SKEW_S = 60;

/** Verifies tokens of jobs (RFC 7519, RFC 8725) by the keys of their issuers. */
export class JobVerifier {
  /** By the addresses of issuers. */
  private readonly keys = new Map<string, IssuerKeys>();

  constructor(private readonly options: IssuerKeysOptions) {}

  /**
   * @returns undefined for a token of an issuer that is not trusted, or for a text that is no token
   * @throws Refusal `authentication_required` for any other token that does not count; `unavailable`
   */
  async jobOf(token: string, issuers: readonly TrustedIssuer[], now: Date): Promise<Actor | undefined> {
    // Not verified yet: it only says whose keys have to have signed the token.
    const address = issuerOf(token);
    const entries = issuers.filter(({ issuer }) => issuer === address);
    if (address === undefined || entries.length === 0) return undefined;
    const keys = this.keys.get(address) ?? new IssuerKeys(address, this.options);
    this.keys.set(address, keys);
    const claims = await verified(token, entries, keys, now);
    const job = jobOf(entries, claims);
    if (job !== undefined) return job;
    const why = 'what its issuer says of it fits no entry of trusted_issuers';
    throw refuse.jobNotAccepted(why, subjectOf(claims));
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** @throws Refusal `authentication_required`, or `unavailable` */
async function verified(
  token: string,
  entries: readonly TrustedIssuer[],
  keys: IssuerKeys,
  now: Date,
): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, keys.keyFor, {
      algorithms: ALGORITHMS,
      issuer: entries.map(({ issuer }) => issuer),
      audience: entries.map(({ audience }) => audience),
      clockTolerance: MAX_SKEW_S,
      currentDate: now,
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refusalOf(error);
    // Not by the token, but by a key: one that is too short, or cannot be read.
    throw error instanceof Refusal ? error : refuse.issuerUnavailable({ cause: error });
  }
}

function refusalOf(error: errors.JOSEError): Refusal {
  return refuse.jobNotAccepted(
    error instanceof errors.JWTClaimValidationFailed ? whyClaim(error.claim) : (WHY[error.code] ?? MALFORMED),
  );
}

const MALFORMED = 'it is malformed';
const UNSIGNED = 'no key of its issuer has signed it';

/** Reasons by the codes of jose's errors. */
const WHY: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JOSE_ALG_NOT_ALLOWED: `it is not signed by ${ALGORITHMS.slice(0, -1).join(', ')} or ${ALGORITHMS.at(-1)}`,
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: UNSIGNED,
  ERR_JWKS_NO_MATCHING_KEY: UNSIGNED,
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: UNSIGNED,
};

function whyClaim(claim: string): string {
  if (claim === 'aud') return "its audience ('aud') is none that is accepted here";
  if (claim === 'nbf') return "it is not valid yet ('nbf')";
  return `its claim '${claim}' is missing, or wrong`;
}
