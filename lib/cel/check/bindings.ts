import { DYN, type Type } from '../types.ts';

/** Thrown when the types of an expression are so large that checking them would take too long. */
export class TypesTooLargeError extends Error {}

/** The number of steps that the types of one expression may take. Upstream has no such limit. */
const MOST_STEPS = 2_000_000;
/** The number of parts that one type may have, each list and each of its elements being one. */
const MOST_PARTS = 1000;
const TOO_LARGE = 'the types of the expression are too large';

/** The kinds of types for which null is a value. */
const NULLABLE: ReadonlySet<string> = new Set(['opaque', 'struct', 'duration', 'timestamp', 'null']);
const GENERIC: ReadonlySet<string> = new Set(['opaque', 'list', 'map']);

/**
 * What the type parameters of one expression stand for (cel-go, checker/types.go). An assignment that fails leaves no
 * trace.
 */
export class Bindings {
  readonly #bound = new Map<string, Type>();
  /** The former values of parameters, so that a failed assignment can be undone. */
  readonly #trail: { readonly name: string; readonly before: Type | undefined }[] = [];
  readonly #sizes = new WeakMap<Type, number>();
  #variables = 0;
  #steps = 0;

  /** Returns a new type parameter. */
  variable(): Type {
    this.#variables += 1;
    return { kind: 'param', name: `_var${this.#variables - 1}`, parameters: [] };
  }

  /** Returns true if values of the second type can be used as the first, and binds parameters so that they can. */
  assign(one: Type, other: Type): boolean {
    return this.assignAll([one], [other]);
  }

  assignAll(ones: readonly Type[], others: readonly Type[]): boolean {
    const mark = this.#trail.length;
    if (this.#assignableAll(ones, others)) return true;
    while (this.#trail.length > mark) {
      const { name, before } = this.#trail.pop() ?? { name: '', before: undefined };
      this.#bound.delete(name);
      if (before !== undefined) this.#bound.set(name, before);
    }
    return false;
  }

  /** Replaces bound parameters. With `toDyn`, open parameters become `dyn`. */
  substitute(type: Type, toDyn = false): Type {
    this.#step();
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.substitute(bound, toDyn);
      return toDyn ? DYN : type;
    }
    if (type.parameters.length === 0) return type;
    const parameters = type.parameters.map((each) => this.substitute(each, toDyn));
    return parameters.every((each, at) => each === type.parameters[at]) ? type : { ...type, parameters };
  }

  /** Replaces the parameters of an overload by new ones. */
  instance(types: readonly Type[]): readonly Type[] {
    const fresh = new Map<string, Type>();
    const instantiate = (type: Type): Type => {
      if (type.kind === 'param') {
        const known = fresh.get(type.name) ?? this.variable();
        fresh.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(instantiate) };
    };
    return types.map(instantiate);
  }

  /** Returns the type that covers both. */
  mostGeneral(one: Type, other: Type): Type {
    return this.#isAtMostAsSpecific(one, other) ? one : other;
  }

  /** Returns true for types with the same structure and names. */
  isSame(one: Type, other: Type): boolean {
    this.#step();
    if (one === other) return true;
    return (
      one.kind === other.kind &&
      one.name === other.name &&
      one.parameters.length === other.parameters.length &&
      one.parameters.every((each, at) => this.isSame(each, other.parameters[at] ?? DYN))
    );
  }

  /** @throws {TypesTooLargeError} the type has too many parts */
  measure(type: Type): number {
    const known = this.#sizes.get(type);
    if (known !== undefined) return known;
    const size = type.parameters.reduce((sum, each) => sum + this.measure(each), 1);
    if (size > MOST_PARTS) throw new TypesTooLargeError(TOO_LARGE);
    this.#sizes.set(type, size);
    return size;
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new TypesTooLargeError(TOO_LARGE);
  }

  #assignableAll(ones: readonly Type[], others: readonly Type[]): boolean {
    return ones.length === others.length && ones.every((one, at) => this.#assignable(one, others[at] ?? DYN));
  }

  #assignable(one: Type, other: Type): boolean {
    this.#step();
    if (other.kind === 'param') {
      const found = this.#bind(one, other);
      if (found !== undefined) return found;
    }
    if (one.kind === 'param') return this.#bind(other, one) === true;
    if (isDynOrError(one) || isDynOrError(other)) return true;
    if (one.kind === 'null') return NULLABLE.has(other.kind);
    if (other.kind === 'null') return NULLABLE.has(one.kind);
    if (one.kind === 'type') return other.kind === 'type';
    if (GENERIC.has(one.kind)) {
      return (
        one.kind === other.kind &&
        one.name === other.name &&
        this.#assignableAll(one.parameters, other.parameters)
      );
    }
    return one.kind === other.kind && one.name === other.name;
  }

  /**
   * Binds a parameter to a type, or compares the type with what the parameter stands for. Returns undefined if the
   * parameter is free but occurs in the type; then the other direction may succeed.
   */
  #bind(type: Type, parameter: Type): boolean | undefined {
    if (this.isSame(type, parameter)) return true;
    const bound = this.#bound.get(parameter.name);
    if (bound === undefined) {
      if (this.#occurs(parameter, type)) return undefined;
      this.#set(parameter.name, type);
      return true;
    }
    if (type.kind === bound.kind && this.isSame(type, bound)) return true;
    if (!this.#assignable(type, bound)) return false;
    const general = this.mostGeneral(type, bound);
    if (!this.#occurs(parameter, general)) this.#set(parameter.name, general);
    return true;
  }

  #set(name: string, type: Type): void {
    this.#trail.push({ name, before: this.#bound.get(name) });
    this.#bound.set(name, type);
  }

  /** Returns true if a type contains the parameter. */
  #occurs(parameter: Type, type: Type): boolean {
    this.#step();
    if (type.kind === 'param') {
      if (type.name === parameter.name) return true;
      const bound = this.#bound.get(type.name);
      return bound !== undefined && this.#occurs(parameter, bound);
    }
    return type.parameters.some((each) => this.#occurs(parameter, each));
  }

  #isAtMostAsSpecific(one: Type, other: Type): boolean {
    this.#step();
    if (one.kind === 'dyn' || one.kind === 'param') return true;
    if (other.kind === 'dyn' || other.kind === 'param') return false;
    if (one.kind !== other.kind) return false;
    if (one.kind === 'type') return true;
    if (!GENERIC.has(one.kind)) return this.isSame(one, other);
    return (
      one.name === other.name &&
      one.parameters.length === other.parameters.length &&
      one.parameters.every((each, at) => this.#isAtMostAsSpecific(each, other.parameters[at] ?? DYN))
    );
  }
}

function isDynOrError({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'error';
}
