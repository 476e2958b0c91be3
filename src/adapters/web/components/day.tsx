interface DayProps {
  readonly date: Date;
  /** Whether `times.js` turns it into `3 days ago` where it is recent. */
  readonly isRelative?: boolean;
}

/** A day as `YYYY-MM-DD`, with the exact time in the `datetime` attribute. */
export function Day({ date, isRelative = false }: DayProps) {
  const exact = date.toISOString();
  return (
    <time datetime={exact} data-relative={isRelative ? 'day' : undefined}>
      {exact.slice(0, 10)}
    </time>
  );
}

/** A time to the minute in UTC. `times.js` turns it into `12 minutes ago`, or into the reader's time zone. */
export function Minute({ date }: { readonly date: Date }) {
  const exact = date.toISOString();
  const [day, time] = [exact.slice(0, 10), exact.slice(11, 16)];
  return (
    <time datetime={exact} title={`${day} ${exact.slice(11, 19)} UTC`} data-relative="minute">
      {day} {time} UTC
    </time>
  );
}
