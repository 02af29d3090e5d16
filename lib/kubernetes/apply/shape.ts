import type { JsonValue } from '../../json/index.ts';

/**
 * The type information that apply needs: the kinds of value that a type accepts, and the ownership of elements of its
 * lists and maps. Most types accept one kind; otherwise the value determines the kind.
 */
export interface Shape {
  readonly scalar?: Scalar;
  readonly list?: ListShape;
  readonly map?: MapShape;
}

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/**
 * A list. If atomic, it is owned as a whole. With keys, its elements are objects identified by these keys. Otherwise
 * it is a set of scalars.
 */
export interface ListShape {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly element: Shape;
}

export interface MapShape {
  readonly atomic: boolean;
  /** Returns the shape of a declared field. */
  field(name: string): Shape | undefined;
  /** The shape of every other key; absent if no others are allowed. */
  readonly rest?: Shape;
  /** Returns the default of a list key that an element omits. */
  keyDefault?(name: string): JsonValue | undefined;
}

const ATOMIC: Shape = {
  scalar: 'untyped',
  list: {
    atomic: true,
    keys: [],
    get element() {
      return ATOMIC;
    },
  },
  map: {
    atomic: true,
    field: () => undefined,
    get rest() {
      return ATOMIC;
    },
  },
};

const DEDUCED: Shape = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], element: ATOMIC },
  map: {
    atomic: false,
    field: () => undefined,
    get rest() {
      return DEDUCED;
    },
  },
};

/** Any value, owned as a whole. */
export const atomicShape: Shape = ATOMIC;

/** Any value: each key of an object is owned separately, lists as a whole. The shape of a kind without a schema. */
export const deducedShape: Shape = DEDUCED;
