import type { CapacityRange } from '../billing.ts';

/** One setting: its description, its default, and how its value is read. */
export interface Setting<Value> {
  /** One or two plain sentences, without Markdown: for the documentation, the schema and the command line. */
  readonly description: string;
  /** A page with more about it: a path relative to docs/deploy, with an anchor. */
  readonly page?: string | undefined;
  /** The default value. */
  readonly fallback: Value;
  /** The default in the documentation, as Markdown; empty if there is none. */
  readonly shownFallback: string;
  /** The JSON schema of its values in a file. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * Reads a value: text from the command line, or JSON from a file.
   *
   * @throws {Error} the value is invalid; the message names the setting and the value.
   */
  readonly read: (given: unknown, name: string) => Value;
  /** Converts the value into the form of a settings file, if that differs. */
  readonly write?: (value: unknown) => unknown;
  /** Set if a settings file must not hold it, because it concerns a single deployment. */
  readonly onlyContext?: true;
}

/** Restricts a setting to the command line. */
export function onlyContext<Value>(setting: Setting<Value>): Setting<Value> {
  return { ...setting, onlyContext: true };
}

/** The optional parts of a description. */
interface Words {
  readonly page?: string;
  /** The default in the documentation, if `fallback` cannot be printed. */
  readonly shownFallback?: string;
}

/** @throws {Error} always; the message names the setting, the value and the valid values */
function refuse(name: string, given: unknown, must: string): never {
  throw new Error(`the setting ${name} is ${JSON.stringify(given)}: it must be ${must}`);
}

/** A setting without a default. */
function withoutFallback<Value>(
  description: string,
  { page, shownFallback = '' }: Words,
  values: Pick<Setting<Value | undefined>, 'schema' | 'read'>,
): Setting<Value | undefined> {
  return { description, page, fallback: undefined, shownFallback, ...values };
}

/** A setting that is true or false. */
export function flag(fallback: boolean, description: string, { page }: Words = {}): Setting<boolean> {
  return {
    description,
    page,
    fallback,
    shownFallback: `\`${fallback}\``,
    schema: { type: 'boolean' },
    read(given, name) {
      if (given === true || given === 'true') return true;
      if (given === false || given === 'false') return false;
      return refuse(name, given, 'true or false');
    },
  };
}

/** A non-empty text without a default. `check` throws for invalid values. */
export function text(
  description: string,
  { check, pattern, ...words }: Words & TextRules = {},
): Setting<string | undefined> {
  return withoutFallback(description, words, {
    schema: pattern === undefined ? { type: 'string', minLength: 1 } : { type: 'string', pattern },
    read: (given, name) => readText(given, name, check),
  });
}

interface TextRules {
  readonly check?: (text: string) => unknown;
  /** A pattern for the schema only: editors mark values that do not match. */
  readonly pattern?: string;
}

/** A non-empty text with a default. */
export function textOr(
  fallback: string,
  description: string,
  words: Words & TextRules = {},
): Setting<string> {
  const setting = text(description, words);
  return {
    ...setting,
    fallback,
    shownFallback: `\`${fallback}\``,
    read: (given, name) => readText(given, name, words.check),
  };
}

/** The path of a file, relative to the folder in which `cdk` runs. */
export function file(description: string, words: Words = {}): Setting<string | undefined> {
  return text(description, words);
}

/** One of several words. */
export function choice<const Value extends string>(
  values: readonly Value[],
  fallback: NoInfer<Value>,
  description: string,
  words?: Words,
): Setting<Value>;
export function choice<const Value extends string>(
  values: readonly Value[],
  fallback: undefined,
  description: string,
  words?: Words,
): Setting<Value | undefined>;
export function choice<const Value extends string>(
  values: readonly Value[],
  fallback: Value | undefined,
  description: string,
  { page, shownFallback }: Words = {},
): Setting<Value | undefined> {
  return {
    description,
    page,
    fallback,
    shownFallback: shownFallback ?? (fallback === undefined ? '' : `\`${fallback}\``),
    schema: { enum: values },
    read: (given, name) =>
      values.find((value) => value === given) ?? refuse(name, given, `one of ${values.join(', ')}`),
  };
}

/** A whole number between two limits. */
export function integer(
  [least, most]: readonly [least: number, most: number],
  description: string,
  words: Words = {},
): Setting<number | undefined> {
  return withoutFallback(description, words, {
    schema: { type: 'integer', minimum: least, maximum: most },
    read(given, name) {
      const number = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
      const isNumber = typeof given === 'number' || typeof given === 'string';
      if (isNumber && Number.isInteger(number) && number >= least && number <= most) return number;
      return refuse(name, given, `a whole number from ${least} to ${most}`);
    },
  });
}

/** One of several numbers. */
export function oneNumberOf(
  numbers: readonly number[],
  description: string,
  words: Words = {},
): Setting<number | undefined> {
  return withoutFallback(description, words, {
    schema: { type: 'integer', enum: numbers },
    read: (given, name) =>
      numbers.find((one) => String(one) === String(given)) ??
      refuse(name, given, `one of ${numbers.join(', ')}`),
  });
}

/** A list of words: an array in a file, separated by commas on the command line. */
export function list(description: string, words: Words = {}): Setting<readonly string[] | undefined> {
  return withoutFallback(description, words, {
    schema: { type: 'array', items: { type: 'string', minLength: 1 } },
    read: readWords,
  });
}

/** A list of words from a fixed set; default: none. */
export function someOf<const Value extends string>(
  values: readonly Value[],
  description: string,
  words: Words = {},
): Setting<readonly Value[]> {
  return {
    ...list(description, words),
    fallback: [],
    schema: { type: 'array', items: { enum: values } },
    read: (given, name) =>
      readWords(given, name).map(
        (word) => values.find((value) => value === word) ?? refuse(name, given, `of ${values.join(', ')}`),
      ),
  };
}

/** A minimum and a maximum, as in 5-1000. */
export function range(fallback: CapacityRange, description: string): Setting<CapacityRange | undefined> {
  const pattern = '^([1-9]\\d{0,6})-([1-9]\\d{0,6})$';
  return {
    description,
    fallback: undefined,
    shownFallback: `\`${fallback.minimum}-${fallback.maximum}\``,
    schema: { type: 'string', pattern },
    read(given, name) {
      const [, from = '', to = ''] = new RegExp(pattern).exec(String(given)) ?? [];
      const [minimum, maximum] = [Number(from), Number(to)];
      if (from !== '' && minimum <= maximum) return { minimum, maximum };
      return refuse(name, given, '<minimum>-<maximum> in units per second, such as 5-1000');
    },
    write(value) {
      const { minimum, maximum } = value as CapacityRange;
      return `${minimum}-${maximum}`;
    },
  };
}

function readWords(given: unknown, name: string): string[] {
  if (!Array.isArray(given) && typeof given !== 'string') {
    return refuse(name, given, 'a list in a settings file, or words separated by commas');
  }
  const items: unknown[] = Array.isArray(given) ? given : given.split(',');
  return items.map((item) => String(item).trim()).filter((item) => item !== '');
}

function readText(given: unknown, name: string, check?: (text: string) => unknown): string {
  if (typeof given !== 'string' || given === '') return refuse(name, given, 'a non-empty string');
  check?.(given);
  return given;
}
