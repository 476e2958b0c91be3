import { counted, type UsageReport } from '../../../domain/index.js';

/** Days up to which each has a bar of its own; in longer ranges each week has one. */
const MAX_BARS = 92;
const WEEK = 7;
/** Reads as bars, a day or a week each, with the same numbers as a table. Nothing where nothing was read. */
export function UsageChart({ days }: Pick<UsageReport, 'days'>) {
  const isDaily = days.length <= MAX_BARS;
  const bars = barsOf(days, isDaily ? 1 : WEEK);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const most = bars.reduce((best, bar) => (bar.reads > best.reads ? bar : best), first);
  if (most.reads === 0) return null;
  const each = isDaily ? 'day' : 'week';
  const peak = most.reads.toLocaleString('en');
  const spoken = `Reads per ${each} from ${first.from} to ${last.to}. Peak: ${peak}, ${most.name}.`;
  return (
    <figure class="usage-chart">
      <figcaption class="small">
        Reads per {each} (peak {peak})
      </figcaption>
      <div class="usage-plot above-3" role="img" aria-label={spoken}>
        <p class="usage-scale tally">
          <span>{peak}</span>
          <span>0</span>
        </p>
        <div class="usage-bars">
          {bars.map((bar) => {
            const height = Math.max(bar.reads > 0 ? 1 : 0, Math.round((bar.reads / most.reads) * 1_000) / 10);
            return (
              <svg key={bar.from} viewBox="0 0 1 100" preserveAspectRatio="none">
                <title>{`${bar.name}: ${counted(bar.reads, 'read')}, ${bar.misses.toLocaleString('en')} missing`}</title>
                <path class="usage-bar" d={`M0 100V${100 - height}H1V100`} />
              </svg>
            );
          })}
        </div>
        <p class="usage-ends line ends small">
          <span>{first.from}</span>
          <span>{last.to}</span>
        </p>
      </div>
      <details class="usage-more above-3 small">
        <summary>As a table</summary>
        <table class="usage-table">
          <thead>
            <tr>
              <th scope="col">{isDaily ? 'Day' : 'Week'}</th>
              <th scope="col">Reads</th>
              <th scope="col">Missing</th>
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map((bar) => (
              <tr key={bar.from}>
                <th scope="row">{bar.name}</th>
                <td>{bar.reads.toLocaleString('en')}</td>
                <td>{bar.misses.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Groups days from the last one back, so that only the first group may be shorter. */
function barsOf(days: UsageReport['days'], size: number) {
  const count = Math.ceil(days.length / size);
  return Array.from({ length: count }, (_, index) => {
    const end = days.length - (count - 1 - index) * size;
    const group = days.slice(Math.max(0, end - size), end);
    const [from = '', to = ''] = [group[0]?.day, group.at(-1)?.day];
    return {
      from,
      to,
      name: from === to ? from : `${from} to ${to}`,
      reads: group.reduce((sum, { reads }) => sum + reads, 0),
      misses: group.reduce((sum, { misses }) => sum + misses, 0),
    };
  });
}
