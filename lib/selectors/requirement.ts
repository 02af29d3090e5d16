import { parseInt64 } from './int64.ts';
import { type LabelSet, readLabel } from './labels.ts';
import { compareUtf8 } from './utf8.ts';

/** k8s.io/apimachinery/pkg/selection.Operator */
export type Operator = '=' | '==' | 'in' | '!=' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. `values` is sorted and without duplicates; empty for `exists` and `!`. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  matches(labels: LabelSet): boolean;
  /** The canonical text, as Kubernetes prints it. */
  toString(): string;
}

/** A requirement depends on the object through this alone: the value of its key, or undefined where absent. */
type ValueTest = (value: string | undefined) => boolean;

/** Up to here looking through a list beats hashing. */
const SHORT_LIST = 8;

/** Builds a requirement from parts that are known to be good: callers validate, because the paths differ. */
export function createRequirement(key: string, operator: Operator, values: readonly string[]): Requirement {
  return new LabelRequirement(key, operator, values);
}

class LabelRequirement implements Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  /** What Kubernetes prints: a LabelSelector object that repeats a value keeps the repetition. */
  readonly #listed: readonly string[];
  readonly #accepts: ValueTest;

  constructor(key: string, operator: Operator, values: readonly string[]) {
    this.key = key;
    this.operator = operator;
    this.#listed = values.toSorted(compareUtf8);
    this.values = [...new Set(this.#listed)];
    this.#accepts = createValueTest(operator, this.values);
  }

  matches(labels: LabelSet): boolean {
    return this.#accepts(readLabel(labels, this.key));
  }

  toString(): string {
    return print(this.key, this.operator, this.#listed.join(','));
  }
}

function createValueTest(operator: Operator, values: readonly string[]): ValueTest {
  switch (operator) {
    case '=':
    case '==':
    case 'in': {
      const has = membership(values);
      return (value) => value !== undefined && has(value);
    }
    case '!=':
    case 'notin': {
      const has = membership(values);
      return (value) => value === undefined || !has(value);
    }
    case 'exists':
      return (value) => value !== undefined;
    case '!':
      return (value) => value === undefined;
    case 'gt':
      return comparison(values, (actual, bound) => actual > bound);
    case 'lt':
      return comparison(values, (actual, bound) => actual < bound);
    default:
      throw operator satisfies never;
  }
}

function membership(values: readonly string[]): (value: string) => boolean {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  if (values.length <= SHORT_LIST) return (value) => values.includes(value);
  const set = new Set(values);
  return (value) => set.has(value);
}

/** A label that is absent or no 64-bit integer is neither above nor below anything. */
function comparison(values: readonly string[], holds: (actual: bigint, bound: bigint) => boolean): ValueTest {
  const [text] = values;
  const bound = text === undefined ? undefined : parseInt64(text);
  return (value) => {
    if (value === undefined || bound === undefined) return false;
    const actual = parseInt64(value);
    return actual !== undefined && holds(actual, bound);
  };
}

function print(key: string, operator: Operator, list: string): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${list}`;
    default:
      throw operator satisfies never;
  }
}
