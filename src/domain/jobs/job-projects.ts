import { isPlainName } from '../names/plain-name.js';
import { type Claims, textOfClaim } from './claims.js';

const CLAIM = /^\{([^{}*\s]+)\}$/;

/** Whether an element of `projects` stands for the value of a claim: `{repository}`, whole. */
export function isClaimInBraces(element: string): boolean {
  return CLAIM.test(element);
}

/**
 * The projects that an element stands for, for a job with these claims: itself, or for `{claim}` the part of the claim after
 * its last `/`. None where the claim is missing or that part is no name of a project, such as `..`.
 */
export function projectsOfJob(element: string, claims: Claims): readonly string[] {
  const [, claim] = CLAIM.exec(element) ?? [];
  if (claim === undefined) return [element];
  const value = textOfClaim(claims, claim);
  const name = value?.slice(value.lastIndexOf('/') + 1);
  return name !== undefined && isPlainName(name) ? [name] : [];
}
