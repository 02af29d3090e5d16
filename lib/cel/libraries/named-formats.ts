import { type Implementations, type Runtime, typed } from '../functions/index.ts';
import {
  ArrayList,
  type CelError,
  NO_OVERLOAD,
  NONE,
  OpaqueValue,
  OptionalValue,
  parseTimestamp,
  type Value,
} from '../values/index.ts';
import { urlErrorOf } from './urls.ts';

/** A named format of texts. */
export class NamedFormat extends OpaqueValue {
  override readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  override readonly patternSize: number;
  readonly #errorsOf: (text: string) => readonly string[];

  constructor(name: string, patternSize: number, errorsOf: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.#errorsOf = errorsOf;
  }

  override get isConvertible(): boolean {
    return true;
  }

  override get isHashable(): boolean {
    return false;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof NamedFormat ? this.name === other.name : NO_OVERLOAD;
  }

  /** Returns what is wrong with a text, or nothing. */
  validate({ meter }: Runtime, text: string): Value {
    meter.match(1, text.length);
    const errors = this.#errorsOf(text);
    return errors.length === 0 ? NONE : new OptionalValue(new ArrayList([...errors]));
  }
}

/** The lengths of the patterns of RFC 3339 and UUIDs in Kubernetes' libraries. */
const TIME_PATTERN = 71;
const UUID_PATTERN = 70;

const LABEL_1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL_1123}(\\.${LABEL_1123})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const QUALIFIED_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const FORMATS: ReadonlyMap<string, NamedFormat> = new Map([
  ['dns1123Label', new NamedFormat('DNS1123Label', 30, labelErrors)],
  ['dns1123Subdomain', new NamedFormat('DNS1123Subdomain', 60, subdomainErrors)],
  ['dns1035Label', new NamedFormat('DNS1035Label', 30, oldLabelErrors)],
  ['qualifiedName', new NamedFormat('QualifiedName', 60, qualifiedErrors)],
  ['dns1123LabelPrefix', new NamedFormat('DNS1123LabelPrefix', 30, (text) => labelErrors(asPrefix(text)))],
  [
    'dns1123SubdomainPrefix',
    new NamedFormat('DNS1123SubdomainPrefix', 60, (text) => subdomainErrors(asPrefix(text))),
  ],
  ['dns1035LabelPrefix', new NamedFormat('DNS1035LabelPrefix', 30, (text) => oldLabelErrors(asPrefix(text)))],
  ['labelValue', new NamedFormat('LabelValue', 40, labelValueErrors)],
  ['uri', new NamedFormat('URI', 1103, (text) => [urlErrorOf(text) ?? []].flat())],
  [
    'uuid',
    new NamedFormat('uuid', UUID_PATTERN, (text) => unless(isUuid(text), 'does not match the UUID format')),
  ],
  ['byte', new NamedFormat('byte', 84, (text) => unless(isBase64(text), 'invalid base64'))],
  ['date', new NamedFormat('date', TIME_PATTERN, (text) => unless(isDate(text), 'invalid date'))],
  [
    'datetime',
    new NamedFormat('datetime', TIME_PATTERN, (text) => unless(isDateTime(text), 'invalid datetime')),
  ],
]);

/** `format.named`, `format.NAME` and `validate`, by overload id. */
export const NAMED_FORMATS: Implementations = {
  ...Object.fromEntries([...FORMATS].map(([name, format]) => [`format.${name}`, () => format])),
  'format-named': typed((_, name: string) => {
    const format = FORMATS.get(name);
    return format === undefined ? NONE : new OptionalValue(format);
  }),
  'format-validate': typed((runtime, format: NamedFormat, text: string) => format.validate(runtime, text)),
};

function unless(isValid: boolean, error: string): readonly string[] {
  return isValid ? [] : [error];
}

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

function tooLong(text: string, most: number): readonly string[] {
  return unless(Buffer.byteLength(text) <= most, `must be no more than ${most} characters`);
}

function patternError(rule: string, pattern: string, ...examples: readonly string[]): string {
  // Kubernetes writes a comma and two blanks before "or".
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

/** Replaces a trailing dash by a letter, because Kubernetes appends to the text. */
function asPrefix(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}

const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";

export function labelErrors(text: string): readonly string[] {
  const errors = [...tooLong(text, 63)];
  if (!matches(LABEL_1123, text)) {
    errors.push(
      matches(SUBDOMAIN, text)
        ? 'must not contain dots'
        : patternError(LABEL_RULE, LABEL_1123, 'my-name', '123-abc'),
    );
  }
  return errors;
}

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

export function subdomainErrors(text: string): readonly string[] {
  return [
    ...tooLong(text, 253),
    ...unless(matches(SUBDOMAIN, text), patternError(SUBDOMAIN_RULE, SUBDOMAIN, 'example.com')),
  ];
}

const OLD_LABEL_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

function oldLabelErrors(text: string): readonly string[] {
  return [
    ...tooLong(text, 63),
    ...unless(matches(LABEL_1035, text), patternError(OLD_LABEL_RULE, LABEL_1035, 'my-name', 'abc-123')),
  ];
}

function labelValueErrors(text: string): readonly string[] {
  const pattern = `(${QUALIFIED})?`;
  const rule = `a valid label must be an empty string or ${QUALIFIED_RULE.replace('must consist', 'consist')}`;
  return [
    ...tooLong(text, 63),
    ...unless(matches(pattern, text), patternError(rule, pattern, 'MyValue', 'my_value', '12345')),
  ];
}

function qualifiedErrors(text: string): readonly string[] {
  const parts = text.split('/');
  const [first = '', second] = parts;
  const error = patternError(QUALIFIED_RULE, QUALIFIED, 'MyName', 'my.name', '123-abc');
  if (parts.length > 2) {
    return [
      `a qualified name ${error} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  if (second !== undefined) {
    const wrong = first === '' ? ['must be non-empty'] : subdomainErrors(first);
    errors.push(...wrong.map((each) => `prefix part ${each}`));
  }
  const name = second ?? first;
  const lengths = name === '' ? ['must be non-empty'] : tooLong(name, 63);
  errors.push(...lengths.map((each) => `name part ${each}`));
  if (!matches(QUALIFIED, name)) errors.push(`name part ${error}`);
  return errors;
}

/** The longest text that is matched. All of these formats allow fewer characters. */
const LONGEST = 10_000;

function matches(pattern: string, text: string): boolean {
  return text.length <= LONGEST && whole(pattern).test(text);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  return (
    text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) && !/^=/.test(text.slice(-4))
  );
}

function isDate(text: string): boolean {
  return text.length === 10 && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
}

function isDateTime(text: string): boolean {
  const [date = '', time, more] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date) || (more !== undefined && time === '')) return false;
  const parts = /^(\d\d):(\d\d):(\d\d)(.[0-9]+)?(z|[+-]\d\d:\d\d)$/s.exec(time);
  return parts !== null && (parts[1] ?? '') <= '23' && (parts[2] ?? '') <= '59' && (parts[3] ?? '') <= '59';
}
