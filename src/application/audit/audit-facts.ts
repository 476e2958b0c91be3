import {
  fullNameOf,
  type MadeToken,
  type ProjectSettings,
  settingsBody,
  type Version,
} from '../../domain/index.js';
import { tokenBody } from '../../formats/api/token-fields.js';
import type { AuditFacts } from '../ports/audit-log.js';

/** Facts before and after a change. */
interface Difference {
  readonly before: AuditFacts;
  readonly after: AuditFacts;
}

/** Returns the facts that tell a publication from others. */
export function factsOfVersion({ revision, record }: Version): AuditFacts {
  const { archive, token, expiresAt } = record;
  return { revision, sha256: archive?.sha256, bytes: archive?.size, token, expires_at: expiresAt };
}

/** Returns what differs between settings, in their JSON form; undefined for equal ones. */
export function differenceOfSettings(one: ProjectSettings, other: ProjectSettings): Difference | undefined {
  return differenceOf(settingsBody(one), settingsBody(other));
}

/** Returns the tokens that differ between two lists of made tokens, without their secrets and their use. */
export function differenceOfTokens(
  one: readonly MadeToken[],
  other: readonly MadeToken[],
): Difference | undefined {
  const facts = (tokens: readonly MadeToken[], among: readonly MadeToken[]) =>
    Object.fromEntries(
      tokens
        .filter(({ sha256 }) => among.every((each) => each.sha256 !== sha256))
        .map((token) => [fullNameOf(token), tokenBody(fullNameOf(token), token.given)]),
    );
  const [before, after] = [facts(one, other), facts(other, one)];
  return Object.keys(before).length + Object.keys(after).length === 0 ? undefined : { before, after };
}

/** Returns the parts of two JSON values that the other does not have: of objects the fields, of lists the elements. */
function differenceOf(one: object, other: object): Difference | undefined {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [was, is] = [valueIn(one, name), valueIn(other, name)];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const inner = isObject(was) && isObject(is) ? differenceOf(was, is) : { before: was, after: is };
    const [left, right] = [without(inner?.before, is), without(inner?.after, was)];
    // Neither lacks anything of the other: a list is in another order, or one of the two is an empty object.
    const isWhole = left === undefined && right === undefined && inner !== undefined;
    if (isWhole || left !== undefined) before[name] = isWhole ? was : left;
    if (isWhole || right !== undefined) after[name] = isWhole ? is : right;
  }
  return Object.keys(before).length + Object.keys(after).length === 0 ? undefined : { before, after };
}

/** Returns the elements of a list that the other does not have; any other value as it is. */
function without(value: unknown, other: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(other)) return isEmpty(value) ? undefined : value;
  const left = value.filter((each) => !other.includes(each));
  return left.length === 0 ? undefined : left;
}

function valueIn(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
