import type { ErrorCode, OpenApi, OpenApiOperation } from '../../../../formats/index.js';
import { helpErrors } from '../../help/help-content.js';
import { Inline } from '../prose.js';

/** An error that an operation returns. */
interface ReturnedError {
  readonly status: string;
  readonly code: ErrorCode;
}

/** Errors with their status and cause. */
export function Errors({ errors }: { readonly errors: readonly ReturnedError[] }) {
  return (
    <dl class="api-fields">
      {errors.map(({ status, code }) => (
        <div key={status + code}>
          <dt>
            <code>{status}</code> <code>{code}</code>
          </dt>
          <dd>
            <Inline text={helpErrors[code]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the errors of all operations, and of all operations that require a token. */
export function generalErrorsOf({ paths }: OpenApi): readonly ReturnedError[] {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [all, all.filter(isTokenNeeded)]
    .flatMap(([first, ...others]) =>
      errorsOf(first).filter((error) => others.every((other) => isAmong(errorsOf(other), error))),
    )
    .filter((error, index, errors) => errors.findIndex((each) => isSame(each, error)) === index)
    .toSorted((one, other) => Number(one.status) - Number(other.status));
}

/** Returns the errors of an operation that are not among the general ones. */
export function ownErrorsOf(
  operation: OpenApiOperation,
  general: readonly ReturnedError[],
): readonly ReturnedError[] {
  return errorsOf(operation).filter((error) => !isAmong(general, error));
}

/** Returns whether an operation does nothing without a token. */
export function isTokenNeeded({ security }: OpenApiOperation): boolean {
  return security.length > 0 && security.every((each) => Object.keys(each).length > 0);
}

function errorsOf(operation: OpenApiOperation | undefined): readonly ReturnedError[] {
  return Object.entries(operation?.responses ?? {}).flatMap(([status, { content }]) => {
    const [, failure] = content?.['application/json']?.schema.allOf ?? [];
    const codes = (failure?.properties?.error?.enum ?? []) as readonly ErrorCode[];
    return codes.map((code) => ({ status, code }));
  });
}

function isAmong(errors: readonly ReturnedError[], error: ReturnedError): boolean {
  return errors.some((each) => isSame(each, error));
}

function isSame(one: ReturnedError, other: ReturnedError): boolean {
  return one.status === other.status && one.code === other.code;
}
