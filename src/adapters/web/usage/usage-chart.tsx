import { counted, type UsageReport } from '../../../domain/index.js';

/** Days up to which each has a bar of its own; in longer ranges each week has one. */
const MAX_BARS = 92;
const WEEK = 7;
/** Height of the drawing, and width of a bar with the gap beside it, in its own units. */
const HEIGHT = 100;
const STEP = 10;
const BAR = 8;
/** Max. width of a bar on the page, with the gap beside it: three days are not as wide as thirty. */
const MAX_BAR_REM = 3;

/** Reads as bars, a day or a week each, with the same numbers as a table. Nothing where nothing was read. */
export function UsageChart({ days }: Pick<UsageReport, 'days'>) {
  const isDaily = days.length <= MAX_BARS;
  const bars = barsOf(days, isDaily ? 1 : WEEK);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const most = bars.reduce((best, bar) => (bar.reads > best.reads ? bar : best), first);
  if (most.reads === 0) return null;
  const each = isDaily ? 'day' : 'week';
  const spoken = `Reads each ${each} from ${first.from} to ${last.to}. Most: ${most.reads.toLocaleString('en')}, ${most.name}.`;
  return (
    <figure class="usage-chart">
      <figcaption>
        Reads each {each}; at most {most.reads.toLocaleString('en')}
      </figcaption>
      <div class="usage-plot">
        <svg
          role="img"
          aria-label={spoken}
          viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          width={`${bars.length * MAX_BAR_REM}rem`}
        >
          {bars.map((bar, index) => {
            const height = Math.max(bar.reads > 0 ? 1 : 0, (bar.reads / most.reads) * HEIGHT);
            return (
              <rect
                key={bar.from}
                class="usage-bar"
                x={index * STEP + (STEP - BAR) / 2}
                y={Math.round((HEIGHT - height) * 10) / 10}
                width={BAR}
                height={Math.round(height * 10) / 10}
              >
                <title>{`${bar.name}: ${counted(bar.reads, 'read')}, ${bar.misses.toLocaleString('en')} missing`}</title>
              </rect>
            );
          })}
        </svg>
        <p class="usage-ends">
          <span>{first.from}</span>
          <span>{last.to}</span>
        </p>
      </div>
      <details class="usage-more">
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
