import type { Reference } from '../checked.ts';
import type { Environment } from '../declarations.ts';
import { type Type, typeOf } from '../types.ts';

/** What a name refers to, and its type. */
export interface Resolved {
  readonly type: Type;
  readonly reference: Reference & { readonly kind: 'identifier' };
}

/** The names that an expression sees: those of loops, inner ones first, then those of the environment. */
export class Scopes {
  readonly #environment: Environment;
  readonly #loops: ReadonlyMap<string, Type>[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  enter(variables: ReadonlyMap<string, Type>): void {
    this.#loops.push(variables);
  }

  leave(): void {
    this.#loops.pop();
  }

  /** Returns the variable or type with this name. A leading dot has no meaning: there is no container. */
  resolve(written: string): Resolved | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const variable = this.#environment.variables.get(name);
    const type = this.#local(name) ?? variable?.type ?? this.#typeNamed(name);
    if (type === undefined) return undefined;
    return { type, reference: { kind: 'identifier', name, constant: variable?.constant } };
  }

  #local(name: string): Type | undefined {
    return this.#loops.findLast((loop) => loop.has(name))?.get(name);
  }

  #typeNamed(name: string): Type | undefined {
    const named = this.#environment.typeNames.get(name);
    return named === undefined ? undefined : typeOf(named);
  }
}
