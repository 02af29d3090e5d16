import { isIP, isIPv4, isIPv6 } from 'node:net';

type Check = (text: string) => boolean;

/**
 * Returns the check of a format; undefined if Kubernetes does not check this format, as is the case for most. The
 * rules are those of k8s.io/kube-openapi/pkg/validation/strfmt; dashes in the name are ignored.
 */
export function formatCheck(format: string): Check | undefined {
  return FORMATS.get(format.replaceAll('-', ''));
}

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const hex = (version: string, variant = '[0-9a-f]') =>
  matches(
    new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'),
  );

const FORMATS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matches(/^[0-9a-f]{24}$/i)],
  ['uri', isRequestUri],
  ['email', matches(/^(?:[^<>]*<)?[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+>?$/)],
  ['hostname', isHostname],
  ['ipv4', (text) => isIPv4(withoutLeadingZeros(text))],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', hex('[0-9a-f]')],
  ['uuid3', hex('3')],
  ['uuid4', hex('4', '[89ab]')],
  ['uuid5', hex('5', '[89ab]')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matches(
      /^rgb\(\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*(,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*){2}\)$/,
    ),
  ],
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
]);

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hours = '', minutes = '', seconds = ''] =
    /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
  return isDate(date) && hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}

const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** Matches a duration of Scala. Only the beginning of its unit counts. */
const SCALA_DURATION =
  /\d+\s*(?:nano[a-zµ]*|ns|micro[a-zµ]*|us|µs|milli[a-zµ]*|ms|sec[a-zµ]*|s|min[a-zµ]*|m|hour[a-zµ]*|hr|h|day[a-zµ]*|d|week[a-zµ]*|wk|w)(?![a-zµ])/i;

function isDuration(text: string): boolean {
  return GO_DURATION.test(text) || SCALA_DURATION.test(text);
}

/** Whether a text is an absolute URI or an absolute path, as in Go's url.ParseRequestURI. */
function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses control characters in URLs.
  if (/[\u0000-\u0020\u007f]/.test(text) || /%(?![0-9a-f]{2})/i.test(text)) return false;
  return text.startsWith('/') || URL.canParse(text) || /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.test(text);
}

function isHostname(text: string): boolean {
  const labels = text.split('.');
  const label = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u;
  const last = labels.length > 1 ? /^[a-zA-Z\p{L}]{2,63}$/u : label;
  const fits = Buffer.byteLength(text) <= 255 && labels.every((each) => Buffer.byteLength(each) <= 63);
  return fits && labels.slice(0, -1).every((each) => label.test(each)) && last.test(labels.at(-1) ?? '');
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  const version = isIP(withoutLeadingZeros(address));
  const most = version === 4 ? 32 : 128;
  return more === undefined && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
}

/** Removes leading zeros. Earlier versions of Go accepted `010.0.0.1`, and Kubernetes still does. */
function withoutLeadingZeros(address: string): string {
  return address.includes(':') ? address : address.replace(/(^|\.)0+(?=\d)/g, '$1');
}

function isMac(text: string): boolean {
  const bytes = (separator: string) =>
    new RegExp(`^[0-9a-f]{2}(?:${separator}[0-9a-f]{2})+$`, 'i').test(text);
  const digits = text.replace(/[^0-9a-f]/gi, '').length;
  const dotted = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text);
  return (bytes(':') || bytes('-') || dotted) && [12, 16, 40].includes(digits);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, at) => total + (at + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

const CREDIT_CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
