// Times of the last week as `12 minutes ago`, older ones as a day of the reader's time zone. Without this script days are of UTC.

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const MAX_RELATIVE_DAYS = 7;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const pad = (number) => String(number).padStart(2, '0');

const dayOf = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
const absolute = (date) => `${dayOf(date)} ${pad(date.getHours())}:${pad(date.getMinutes())}`;

/** Days of the calendar between a time and today. */
const daysSince = (date) =>
  Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86_400_000);

/** Returns the age of a time in words: `12 minutes ago`, `yesterday`. */
const ageOf = (seconds) => {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [];
  return unit === undefined ? 'just now' : relative.format(-Math.floor(seconds / length), unit);
};

/** Returns the age of a recent time, in days or down to minutes; the day of an older one. */
const textOf = (date, unit) => {
  const seconds = (Date.now() - date) / 1_000;
  if (seconds >= MAX_RELATIVE_DAYS * 86_400) return dayOf(date);
  return unit === 'day' ? relative.format(-daysSince(date), 'day') : ageOf(seconds);
};

const write = () => {
  for (const element of document.querySelectorAll('time[data-relative]')) {
    const date = new Date(element.dateTime);
    element.textContent = textOf(date, element.dataset.relative);
    element.title = `${absolute(date)}:${pad(date.getSeconds())} (${date.toISOString().slice(0, 19).replace('T', ' ')} UTC)`;
  }
};

write();
// The list that a search replaces.
document.addEventListener('found', write);
setInterval(() => document.hidden || write(), 60_000);
