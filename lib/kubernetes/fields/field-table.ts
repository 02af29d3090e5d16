import type { Field, FieldType, MergeStrategy, Message } from './message.ts';

/** A field as the generator (generator/main.go) writes it. */
interface RawField {
  /** The JSON name; absent if JSON inlines the message. */
  readonly n?: string;
  readonly t: string;
  readonly m?: string;
  readonly c?: string;
  readonly p?: number;
  /** Flags: `e` whole elements, `i` inlined, `o` omitempty, `p` pointer, `w` wrapped. */
  readonly f?: string;
  /** The merge strategy: `+key` merged by key, `+` merged, `|` retainKeys, `!` replaced. */
  readonly k?: string;
  readonly r?: string;
  readonly l?: readonly string[];
  readonly g?: string;
}

export interface RawFacts {
  readonly version: string;
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly RawField[]>>;
}

/** The fields of every Kubernetes type, in the version that Winnow follows. */
export class FieldTable {
  /** The version of Kubernetes that the facts describe, e.g. `1.33.2`. */
  readonly version: string;
  readonly #facts: RawFacts;
  readonly #messages = new Map<string, LazyMessage>();
  readonly #objects: ReadonlySet<string>;

  constructor(facts: RawFacts) {
    this.version = facts.version;
    this.#facts = facts;
    this.#objects = new Set(Object.values(facts.kinds));
  }

  /** Returns the message of a kind, without apiVersion and kind; undefined if Kubernetes has no such kind. */
  kind(apiVersion: string, kind: string): Message | undefined {
    const name = ownValue(this.#facts.kinds, `${apiVersion}/${kind}`);
    return name === undefined ? undefined : this.message(name);
  }

  /** @throws Error if there is no message with this name, e.g. `core.v1.PodSpec` */
  message(name: string): Message {
    const known = this.#messages.get(name);
    if (known !== undefined) return known;
    const raw = ownValue(this.#facts.messages, name);
    if (raw === undefined) throw new Error(`no type ${name} in Kubernetes ${this.version}`);
    const message = new LazyMessage(name, this.#objects.has(name), () => this.#fieldsOf(raw, []));
    this.#messages.set(name, message);
    return message;
  }

  *#fieldsOf(fields: readonly RawField[], within: readonly number[]): Iterable<Field> {
    for (const raw of fields) {
      if (raw.n !== undefined) {
        yield this.#fieldOf(raw, raw.n, within);
      } else if (raw.m !== undefined) {
        yield* this.#fieldsOf(this.#facts.messages[raw.m] ?? [], [...within, raw.p ?? 0]);
      }
    }
  }

  #fieldOf(raw: RawField, name: string, within: readonly number[]): Field {
    const { m, f = '', l = [] } = raw;
    return {
      name,
      type: raw.t as FieldType,
      ...(m === undefined ? {} : { message: this.message(m) }),
      container: (raw.c ?? '') as Field['container'],
      number: raw.p ?? 0,
      pointer: f.includes('p'),
      omitEmpty: f.includes('o'),
      wrapped: f.includes('w'),
      within,
      merge: mergeOf(raw.k),
      relation: raw.r as Field['relation'],
      keys: l,
      wholeElements: f.includes('e'),
      goType: raw.g ?? (m === undefined ? (GO_TYPES[raw.t] ?? raw.t) : goName(m)),
    };
  }
}

/**
 * A message whose fields are created on first use. Messages can contain themselves (JSON schemas), and a request
 * needs few of hundreds.
 */
class LazyMessage implements Message {
  readonly name: string;
  readonly envelope: boolean;
  readonly #read: () => Iterable<Field>;
  #fields: ReadonlyMap<string, Field> | undefined;

  constructor(name: string, envelope: boolean, read: () => Iterable<Field>) {
    this.name = name;
    this.envelope = envelope;
    this.#read = read;
  }

  get fields(): ReadonlyMap<string, Field> {
    this.#fields ??= new Map([...this.#read()].map((field) => [field.name, field]));
    return this.#fields;
  }
}

/** Go's names of types that have another name in the facts. */
const GO_TYPES: Readonly<Record<string, string>> = {
  double: 'float64',
  bytes: '[]uint8',
  IntOrString: 'int32',
};

/** Returns `v1.PodSpec` for `core.v1.PodSpec`. */
function goName(message: string): string {
  return message.split('.').slice(-2).join('.');
}

function mergeOf(strategy = ''): MergeStrategy | undefined {
  if (strategy === '') return undefined;
  const said = { retainKeys: strategy.includes('|'), replaced: strategy === '!' };
  const merged = strategy.replaceAll(/[|!]/g, '');
  return merged === '' ? said : { ...said, key: merged.slice(1) };
}

function ownValue<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
