/** Client that waits for work of which others want their share. */
export interface Waiter {
  /** Work of one address waits for one another, and addresses take turns. @default '' */
  readonly address?: string | undefined;
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}
