/**
 * Times as Kubernetes reads and writes them: RFC 3339 in UTC, a Time with whole seconds, a MicroTime with six
 * digits of one.
 */

const RFC3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/;
const LAYOUT = { Time: '2006-01-02T15:04:05Z07:00', MicroTime: '2006-01-02T15:04:05.000000Z07:00' };
const MICRO_DIGITS = 6;

/** The canonical text of a time. @throws Error in Go's words, where the text is none */
export function canonicalTime(text: string, type: 'Time' | 'MicroTime'): string {
  const parts = RFC3339.exec(text);
  const [, day = '', hour = '', fraction = '', zone = ''] = parts ?? [];
  const moment = Date.parse(`${day}T${hour}${zone}`);
  const known = parts !== null && !Number.isNaN(moment) && (type === 'Time' || hasMicros(fraction));
  if (!known || !isCalendarDay(day)) throw new Error(refusal(text, LAYOUT[type]));
  const seconds = new Date(moment).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return type === 'Time' ? `${seconds}Z` : `${seconds}.${fraction.slice(1)}Z`;
}

/** Go's layout asks for just as many digits. */
function hasMicros(fraction: string): boolean {
  return fraction.length === MICRO_DIGITS + 1;
}

/** Date.parse takes the 30th of February for the 2nd of March. */
function isCalendarDay(day: string): boolean {
  const moment = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day);
}

/** The parts of a layout, and what Go calls them; a fraction is let in where none is asked for. */
const REFERENCE: readonly (readonly [part: RegExp, layout: string])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^(0[1-9]|1[0-2])/, '01'],
  [/^-/, '-'],
  [/^\d{2}/, '02'],
  [/^T/, 'T'],
  [/^\d{2}/, '15'],
  [/^:/, ':'],
  [/^\d{2}/, '04'],
  [/^:/, ':'],
  [/^\d{2}/, '05'],
  [/^(Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
];

function partsOf(layout: string): typeof REFERENCE {
  const fraction = layout === LAYOUT.Time ? /^([.,]\d+)?/ : /^\.\d{6}(?!\d)/;
  return [...REFERENCE.slice(0, -1), [fraction, '.000000'], ...REFERENCE.slice(-1)];
}

/** Where Go's time.Parse would stop reading. */
function refusal(text: string, layout: string): string {
  let rest = text;
  for (const [part, expected] of partsOf(layout)) {
    const match = part.exec(rest);
    if (match === null) {
      return `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(expected)}`;
    }
    rest = rest.slice(match[0].length);
  }
  const why = rest === '' ? 'day out of range' : `extra text: ${JSON.stringify(rest)}`;
  return `parsing time ${JSON.stringify(text)}: ${why}`;
}
