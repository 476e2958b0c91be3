/** The time of a store, by the `Date` of its answers, which has whole seconds. */
export class StoreTime {
  private answered: { readonly atMs: number; readonly uptimeMs: number } | undefined;

  /** Notes the header of an answer. An answer without one says nothing. */
  note(date: string | undefined): void {
    const atMs = Date.parse(date ?? '');
    if (!Number.isNaN(atMs)) this.answered = { atMs, uptimeMs: performance.now() };
  }

  /** Milliseconds since 1970; undefined before the first answer with a `Date`. */
  now(): number | undefined {
    const { answered } = this;
    return answered && answered.atMs + performance.now() - answered.uptimeMs;
  }
}
