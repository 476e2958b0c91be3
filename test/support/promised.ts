/** Names of the methods that return a promise. */
export type Promised<Of> = {
  [Name in keyof Of]-?: Of[Name] extends (...call: never[]) => Promise<unknown> ? Name : never;
}[keyof Of];
