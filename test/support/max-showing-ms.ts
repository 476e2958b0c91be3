/** Limit for what a browser is to show, in milliseconds. It is reached only where something is broken. */
export const MAX_SHOWING_MS = 60_000;
