/** Receives findings and actions that belong in a log; `fields` are for a structured one. */
export type Report = (message: string, fields: Readonly<Record<string, unknown>>) => void;
