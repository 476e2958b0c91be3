/** What a process may tell of what it found and did; `fields` are for a structured log. */
export type Report = (message: string, fields: Readonly<Record<string, unknown>>) => void;
