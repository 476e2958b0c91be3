import { Histogram } from 'prom-client';

type Exposed<Label extends string> = Awaited<ReturnType<Histogram<Label>['get']>>;

/** Observations that were sorted into buckets elsewhere. */
export interface Buckets<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  /** How many fell into each bucket, not cumulative; the last one has no upper bound. */
  readonly counts: readonly number[];
  /** Of all observations. */
  readonly sum: number;
}

/**
 * A histogram that is put together when it is asked for. prom-client's own takes one observation at a time, which
 * costs more than sending a page out of memory should.
 */
export class CountedHistogram<Label extends string> extends Histogram<Label> {
  constructor(
    private readonly facts: {
      readonly name: string;
      readonly help: string;
      readonly labelNames: Label[];
      readonly bounds: readonly number[];
    },
    private readonly read: () => Iterable<Buckets<Label>>,
  ) {
    super({ ...facts, buckets: [...facts.bounds], registers: [] });
  }

  override async get(): Promise<Exposed<Label>> {
    const { name, help, bounds } = this.facts;
    const values = [...this.read()].flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = counts.map((inside, bucket) => {
        count += inside;
        return {
          metricName: `${name}_bucket`,
          labels: { ...labels, le: bounds[bucket] ?? '+Inf' },
          value: count,
        };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    // prom-client's types ask for a function that its registry never looks for here, and for a number as the type.
    return { name, help, values, aggregator: 'sum', type: 'histogram' } as unknown as Exposed<Label>;
  }

  /** The registry prefers this one where it is there, as it is in prom-client's own. */
  async getForPromString(): Promise<Exposed<Label>> {
    return this.get();
  }
}
