import type { Environment } from '../declarations.ts';
import { ArrayList, CelError, MutableMap, OptionalValue, typeNameOf, type Value } from '../values/index.ts';
import type { Run, Step } from './step.ts';

/** What the literals cost, without their parts. */
const LIST = 10;
const MAP = 30;
const STRUCT = 40;

/** A list literal. */
export class ListStep implements Step {
  readonly parts: readonly Step[];
  readonly #optional: ReadonlySet<number>;

  constructor(elements: readonly Step[], optionalIndices: readonly number[]) {
    this.parts = elements;
    this.#optional = new Set(optionalIndices);
  }

  evaluate(run: Run): Value {
    const values: Value[] = [];
    let error: CelError | undefined;
    for (const [at, element] of this.parts.entries()) {
      const value = element.evaluate(run);
      if (value instanceof CelError) {
        error = value;
        break;
      }
      if (!this.#optional.has(at)) {
        values.push(value);
      } else if (!(value instanceof OptionalValue)) {
        error = notOptional('list element', value);
        break;
      } else if (value.value !== undefined) {
        values.push(value.value);
      }
    }
    run.meter.charge(LIST);
    return error ?? new ArrayList(values);
  }
}

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
}

/** A map literal. */
export class MapStep implements Step {
  readonly parts: readonly Step[];
  readonly #entries: readonly EntrySteps[];

  constructor(entries: readonly EntrySteps[]) {
    this.#entries = entries;
    this.parts = entries.flatMap(({ key, value }) => [key, value]);
  }

  evaluate(run: Run): Value {
    const built = this.build(run);
    run.meter.charge(MAP);
    return built;
  }

  protected build(run: Run): MutableMap | CelError {
    const map = new MutableMap();
    for (const entry of this.#entries) {
      const key = entry.key.evaluate(run);
      if (key instanceof CelError) return key;
      const value = entry.value.evaluate(run);
      if (value instanceof CelError) return value;
      if (!entry.optional) {
        map.set(key, value);
      } else if (!(value instanceof OptionalValue)) {
        return notOptional('entry', value);
      } else if (value.value === undefined) {
        map.delete(key);
      } else {
        map.set(key, value.value);
      }
    }
    return map;
  }
}

function notOptional(what: string, value: Value): CelError {
  return new CelError(
    `cannot initialize optional ${what} from non-optional value of type ${typeNameOf(value)}`,
  );
}

/** A struct literal. Only the environment of mutations has struct types that an expression can build. */
export class StructStep extends MapStep {
  readonly #name: string;
  readonly #construct: Environment['construct'];

  constructor(name: string, fields: readonly EntrySteps[], construct: Environment['construct']) {
    super(fields);
    this.#name = name;
    this.#construct = construct;
  }

  override evaluate(run: Run): Value {
    const built = this.build(run);
    run.meter.charge(STRUCT);
    if (built instanceof CelError) return built;
    return this.#construct?.(this.#name, built) ?? new CelError(`unknown type '${this.#name}'`);
  }
}
