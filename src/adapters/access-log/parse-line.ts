import type { LoggedRequest } from '../../application/index.js';

/** `… [time] "request" status bytes "referrer" "user agent"`; the common format lacks the last two. */
const LINE =
  /^[^[]*\[([^\]]{1,40})\] "((?:[^"\\]|\\.)*)" (\d{3}) (?:\d+|-)(?: "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)")?/;
const TIME = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Reads a line of an access log in the combined or the common format; undefined for anything else. */
export function parseLine(line: string): LoggedRequest | undefined {
  const [, at = '', request = '', status, userAgent] = LINE.exec(line) ?? [];
  const time = timeOf(at);
  const [, method, target] = /^([A-Z]+) (\/\S*)(?: HTTP\/[\d.]+)?$/.exec(request) ?? [];
  if (time === undefined || method === undefined || target === undefined) return undefined;
  const [sent = ''] = target.split(/[?#]/, 1);
  // Web servers write bytes that are no letters as \xC3; in a URL the same byte is %C3.
  const path = sent.replaceAll(/\\x([\dA-Fa-f]{2})/g, '%$1');
  const isKnown = userAgent !== undefined && userAgent !== '-';
  return { time, method, path, status: Number(status), userAgent: isKnown ? userAgent : undefined };
}

function timeOf(text: string): Date | undefined {
  const [, day, name = '', year, hour, minute, second, sign, ofHours, ofMinutes] = TIME.exec(text) ?? [];
  const month = MONTHS.indexOf(name);
  if (month === -1) return undefined;
  const local = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  const offsetMs = (Number(ofHours) * 60 + Number(ofMinutes)) * 60_000;
  return new Date(sign === '+' ? local - offsetMs : local + offsetMs);
}
