/**
 * Time for work that is done in one go: over once the clock and the processor both say so. A thread that gets no processor, on a
 * busy or suspended machine, does not use it up.
 */
export class WorkTime {
  private readonly startedAt = performance.now();
  private readonly cpu = process.cpuUsage();

  /** Begins now. */
  constructor(private readonly milliseconds: number) {}

  get isOver(): boolean {
    // A look at the clock takes a thirtieth of the time of one at the processor.
    return performance.now() - this.startedAt >= this.milliseconds && this.used >= this.milliseconds;
  }

  /** Milliseconds that the work has taken. */
  get used(): number {
    // Processor time of all threads, which is no less than that of this one.
    const { user, system } = process.cpuUsage(this.cpu);
    return Math.min(performance.now() - this.startedAt, (user + system) / 1_000);
  }
}
