import type { JsonValue } from '../../json/index.ts';

/**
 * What apply must know of a type: which kinds of value it takes, and how the elements of its lists and maps are
 * owned. Most types take one kind; one that takes several is decided by the value.
 */
export interface Shape {
  readonly scalar?: Scalar;
  readonly list?: ListShape;
  readonly map?: MapShape;
}

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** Atomic: owned as a whole. With keys: elements are objects, known by these. Else a set of scalars. */
export interface ListShape {
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly element: Shape;
}

export interface MapShape {
  readonly atomic: boolean;
  /** A field that the type declares. */
  field(name: string): Shape | undefined;
  /** Of every other key; absent where there are no others. */
  readonly rest?: Shape;
  /** What stands for a field that a list's element leaves out, where it is one of the list's keys. */
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

/** Any value: each key of an object is owned by itself, lists as a whole. What a kind without a schema has. */
export const deducedShape: Shape = DEDUCED;
