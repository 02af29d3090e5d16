import type { CapacityRange } from '../billing.ts';

/** The value of one setting: how it is read, what it is without a word of the deployer, and how it is described. */
export interface Setting<Value> {
  /** One or two plain sentences, without Markdown: for the documentation, the schema and the command line. */
  readonly description: string;
  /** A page that says more, as a path from docs/deploy, with its anchor. */
  readonly page?: string | undefined;
  /** The value of a deployment that does not choose one. */
  readonly fallback: Value;
  /** How the documentation writes the fallback, in Markdown; empty where there is none. */
  readonly shownFallback: string;
  /** The JSON schema of its values in a file. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * The value that a deployer wrote, on the command line as text or in a file as JSON.
   *
   * @throws {Error} a value that it cannot have. The message names the setting and the value.
   */
  readonly read: (given: unknown, name: string) => Value;
  /** The value as a file holds it, where that is not the value itself. */
  readonly write?: (value: unknown) => unknown;
  /** Set where a file must not hold it, for it is about one deployment. */
  readonly onlyContext?: true;
}

/** The same setting, of the command line alone. */
export function onlyContext<Value>(setting: Setting<Value>): Setting<Value> {
  return { ...setting, onlyContext: true };
}

/** What an entry of the table says for itself, whatever its type. */
interface Words {
  readonly page?: string;
  /** For the documentation, where there is no fallback to print. */
  readonly shownFallback?: string;
}

/** @throws {Error} always: in words that name the setting, the value and what to write instead */
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

/** true or false. */
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

/** Text that is not empty and that no default stands in for. `check` throws for what it cannot be. */
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
  /** For the schema alone: an editor underlines what does not match. */
  readonly pattern?: string;
}

/** The same, with a default. */
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

/** The path of a file, from where `cdk` runs. */
export function file(description: string, words: Words = {}): Setting<string | undefined> {
  return text(description, words);
}

/** One of some words. */
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

/** A whole number between two bounds. */
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

/** One of some numbers. */
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

/** Several words: an array in a file, separated by commas on the command line. */
export function list(description: string, words: Words = {}): Setting<readonly string[] | undefined> {
  return withoutFallback(description, words, {
    schema: { type: 'array', items: { type: 'string', minLength: 1 } },
    read: readWords,
  });
}

/** Some of a few words, which are written as a list is; none where the deployer names none. */
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
      return refuse(name, given, '<minimum>-<maximum> in units a second, such as 5-1000');
    },
    write(value) {
      const { minimum, maximum } = value as CapacityRange;
      return `${minimum}-${maximum}`;
    },
  };
}

function readWords(given: unknown, name: string): string[] {
  if (!Array.isArray(given) && typeof given !== 'string') {
    return refuse(name, given, 'a list in a file, or words with commas between them');
  }
  const items: unknown[] = Array.isArray(given) ? given : given.split(',');
  return items.map((item) => String(item).trim()).filter((item) => item !== '');
}

function readText(given: unknown, name: string, check?: (text: string) => unknown): string {
  if (typeof given !== 'string' || given === '') return refuse(name, given, 'a text that is not empty');
  check?.(given);
  return given;
}
