interface DayProps {
  readonly date: Date;
  /** Smallest unit of the age that `times.js` shows instead where it is recent, such as `3 days ago`; by default none. */
  readonly age?: 'day' | 'minute';
}

/** A day as `YYYY-MM-DD` in UTC, with the exact time in the `datetime` attribute. */
export function Day({ date, age }: DayProps) {
  const exact = date.toISOString();
  const day = exact.slice(0, 10);
  return (
    <time
      datetime={exact}
      title={age === 'minute' ? `${day} ${exact.slice(11, 19)} UTC` : undefined}
      data-relative={age}
    >
      {day}
    </time>
  );
}
