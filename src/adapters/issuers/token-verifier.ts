import { decodeJwt, errors, jwtVerify } from 'jose';
import { type Claims, Refusal, refuse } from '../../domain/index.js';
import { IssuerKeys, type IssuerKeysOptions } from './issuer-keys.js';

/** Signatures by keys of an issuer. None with a secret that both sides have (RFC 8725, section 3.1). */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
/** Seconds by which the clocks of issuer and server may differ. */
const MAX_SKEW_S = 60;

/** An issuer, as far as its tokens are verified. */
interface Issuer {
  /** `iss` of its tokens. */
  readonly issuer: string;
  /** The token has to have one of these as an `aud`. */
  readonly audience: string | readonly string[];
}

/** A token that one of the issuers has signed, for an audience of these entries, for this time. */
interface Verified<Entry> {
  /** The entries with its issuer. */
  readonly entries: readonly Entry[];
  readonly claims: Claims;
  /** `typ` of its header. */
  readonly type: string | undefined;
}

/** Verifies tokens of issuers (RFC 7519, RFC 8725) by their keys. */
export class TokenVerifier {
  /** Keys by address of the issuer. */
  private readonly keys = new Map<string, IssuerKeys>();

  constructor(private readonly options: IssuerKeysOptions) {}

  /**
   * @param refused makes the refusal of a token that does not count, from the reason
   * @returns undefined for a token of another issuer, or for a text that is no token
   * @throws Refusal as `refused` makes it; `unavailable`
   */
  async verified<Entry extends Issuer>(
    token: string,
    issuers: readonly Entry[],
    now: Date,
    refused: (why: string) => Refusal,
  ): Promise<Verified<Entry> | undefined> {
    // Not verified yet: it only says whose keys have to have signed the token.
    const address = issuerOf(token);
    const entries = issuers.filter(({ issuer }) => issuer === address);
    if (address === undefined || entries.length === 0) return undefined;
    const keys = this.keys.get(address) ?? new IssuerKeys(address, this.options);
    this.keys.set(address, keys);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.keyFor, {
        algorithms: ALGORITHMS,
        issuer: address,
        audience: entries.flatMap(({ audience }) => audience),
        clockTolerance: MAX_SKEW_S,
        currentDate: now,
        requiredClaims: ['exp'],
      });
      return { entries, claims: payload, type: protectedHeader.typ };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused(reasonOf(error));
      // Not by the token, but by a key: one that is too short, or cannot be read.
      throw error instanceof Refusal ? error : refuse.issuerUnavailable({ cause: error });
    }
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function reasonOf(error: errors.JOSEError): string {
  return error instanceof errors.JWTClaimValidationFailed
    ? whyClaim(error.claim)
    : (WHY[error.code] ?? MALFORMED);
}

const MALFORMED = 'it is malformed';
const UNSIGNED = 'it is not signed with a key of its issuer';

/** Reasons by the codes of jose's errors. */
const WHY: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JOSE_ALG_NOT_ALLOWED: `it is not signed by ${ALGORITHMS.slice(0, -1).join(', ')} or ${ALGORITHMS.at(-1)}`,
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: UNSIGNED,
  ERR_JWKS_NO_MATCHING_KEY: UNSIGNED,
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: UNSIGNED,
};

function whyClaim(claim: string): string {
  if (claim === 'aud') return "its audience ('aud') is not accepted here";
  if (claim === 'nbf') return "it is not valid yet ('nbf')";
  return `its claim '${claim}' is missing or wrong`;
}
