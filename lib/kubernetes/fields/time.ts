/** The format of Kubernetes' times: RFC 3339 in UTC. A Time has whole seconds, a MicroTime six fractional digits. */

const RFC3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/;
const LAYOUT = { Time: '2006-01-02T15:04:05Z07:00', MicroTime: '2006-01-02T15:04:05.000000Z07:00' };
const MICRO_DIGITS = 6;

/** Returns the canonical text of a time. @throws Error in Go's words if the text is invalid */
export function canonicalTime(text: string, type: 'Time' | 'MicroTime'): string {
  const parts = RFC3339.exec(text);
  const [, day = '', hour = '', fraction = '', zone = ''] = parts ?? [];
  const moment = Date.parse(`${day}T${hour}${zone}`);
  const known = parts !== null && !Number.isNaN(moment) && (type === 'Time' || hasMicros(fraction));
  if (!known || !isCalendarDay(day)) throw new Error(refusal(text, LAYOUT[type]));
  const seconds = new Date(moment).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return type === 'Time' ? `${seconds}Z` : `${seconds}.${fraction.slice(1)}Z`;
}

/** Go's layout requires exactly this number of digits. */
function hasMicros(fraction: string): boolean {
  return fraction.length === MICRO_DIGITS + 1;
}

/** Whether the day exists. Date.parse reads February 30 as March 2. */
function isCalendarDay(day: string): boolean {
  const moment = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day);
}

/** The parts of a layout and Go's names for them. A fraction is accepted even where the layout has no fraction. */
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

/** Returns the error at the position where Go's time.Parse stops. */
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
