import { type Given, type Pairs, Pieces } from './pieces.ts';

/** A v1.NodeSelector as JSON may have it, and nodes to match it against. */
export interface NodeCase {
  readonly kind: 'node';
  readonly node: NodeSelector;
  readonly nodes: readonly { readonly name: string; readonly labels: Pairs }[];
}

interface NodeSelector {
  readonly nodeSelectorTerms?: readonly (Term | null)[] | null;
}

interface Term {
  readonly matchExpressions?: readonly (Expression | null)[] | null;
  readonly matchFields?: readonly (Expression | null)[] | null;
}

type Expression = { readonly values?: readonly (string | null)[] | null } & Pick<Given, 'key' | 'operator'>;

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const ODD_OPERATORS = ['', 'in', '=', 'gt', 'Equals'];
const BOUNDS = ['0', '5', '05', '-5', '+5', '9223372036854775807', '9223372036854775808', '', 'a'];
const NAMES = ['n1', 'n2', 'spare', ''];
const FIELDS = ['metadata.name', 'metadata.name', 'metadata.name', 'metadata.namespace', 'spec.x', ''];

/** Generates node selectors, most of them valid; the same for the same seed. */
export class NodeCases {
  readonly #pieces: Pieces;

  constructor(seed: number) {
    this.#pieces = new Pieces(seed);
  }

  next(): NodeCase {
    const pieces = this.#pieces;
    const terms = () => pieces.upTo(3, () => pieces.orNull(this.#term()));
    return {
      kind: 'node',
      node: pieces.random.chance(0.02) ? {} : { nodeSelectorTerms: pieces.orNull(terms()) },
      nodes: pieces.times(6, () => ({ name: pieces.random.pick(NAMES), labels: pieces.labels(5) })),
    };
  }

  #term(): Term {
    const pieces = this.#pieces;
    const expressions = () => pieces.upTo(2, () => pieces.orNull(this.#expression()));
    const fields = () => pieces.upTo(2, () => pieces.orNull(this.#field()));
    return {
      ...(pieces.random.chance(0.9) && { matchExpressions: pieces.orNull(expressions()) }),
      ...(pieces.random.chance(0.3) && { matchFields: pieces.orNull(fields()) }),
    };
  }

  #expression(): Expression {
    const { random } = this.#pieces;
    const operator = random.pick(random.chance(0.97) ? OPERATORS : ODD_OPERATORS);
    return this.#requirement(this.#pieces.key(), operator, this.#values(operator));
  }

  #values(operator: string): string[] | undefined {
    const pieces = this.#pieces;
    if (pieces.random.chance(0.05)) return pieces.upTo(2, () => pieces.value());
    if (operator === 'Gt' || operator === 'Lt') return [pieces.random.pick(BOUNDS)];
    if (operator !== 'In' && operator !== 'NotIn') return pieces.random.chance(0.5) ? [] : undefined;
    return pieces.times(1 + pieces.random.below(3), () => pieces.value());
  }

  #field(): Expression {
    const { random } = this.#pieces;
    const operator = random.pick(random.chance(0.9) ? ['In', 'NotIn'] : [...OPERATORS, ...ODD_OPERATORS]);
    const count = random.chance(0.9) ? 1 : random.below(3);
    const names = this.#pieces.times(count, () => random.pick(NAMES));
    return this.#requirement(random.pick(FIELDS), operator, names);
  }

  #requirement(key: string, operator: string, values: readonly string[] | undefined): Expression {
    const pieces = this.#pieces;
    return {
      key: pieces.orNull(key),
      operator: pieces.orNull(operator),
      ...(values !== undefined && { values: pieces.orNull(values.map((value) => pieces.orNull(value))) }),
    };
  }
}
