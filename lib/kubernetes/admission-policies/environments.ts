import {
  type Environment,
  type EnvironmentVersion,
  environmentOf,
  type ShapeField,
  type Type,
  types,
} from '../../cel/index.ts';
import { LIBRARIES } from '../../cel/libraries/index.ts';
import {
  AUTHORIZER,
  DECLARED,
  fieldOf,
  NAMESPACE,
  REQUEST,
  REQUEST_RESOURCE,
  structOf,
  VARIABLES,
} from './declared-types.ts';
import type { KindTypes } from './kind-types.ts';

/** What the expressions of one policy or webhook may name. */
export interface Names {
  /** Whether there is `params`. */
  readonly hasParams: boolean;
  /** Whether there is `variables`. */
  readonly hasVariables: boolean;
  /** The types of `object` and `oldObject`; undefined if they are dynamic. */
  readonly object?: KindTypes | undefined;
  /** The type of `params`; undefined if it is dynamic. */
  readonly params?: KindTypes | undefined;
}

/**
 * The environments of the expressions of one policy or webhook. Variables are declared one by one: an expression sees
 * those before it.
 */
export class Environments {
  readonly #names: Names;
  readonly #fields = new Map<string, ShapeField>();
  readonly #known = new Map<string, Environment>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** Declares a variable for the expressions that follow. */
  declare(name: string, type: Type): void {
    this.#fields.set(name, fieldOf(name, variableType(type)));
  }

  /** @param hasAuthorizer false for the expressions of messages */
  of(version: EnvironmentVersion, hasAuthorizer: boolean): Environment {
    const key = `${version} ${hasAuthorizer}`;
    const environment = this.#known.get(key) ?? this.#made(version, hasAuthorizer);
    this.#known.set(key, environment);
    return environment;
  }

  #made(version: EnvironmentVersion, hasAuthorizer: boolean): Environment {
    const base = environmentOf(version, LIBRARIES);
    const { DYN, DURATION, struct, TIMESTAMP } = types;
    const { object, params } = this.#names;
    const variables: (readonly [string, Type])[] = [
      ['object', object?.type ?? DYN],
      ['oldObject', object?.type ?? DYN],
      ['namespaceObject', NAMESPACE],
      ['request', REQUEST],
    ];
    const structs = new Map(DECLARED);
    if (this.#names.hasParams) variables.push(['params', params?.type ?? DYN]);
    if (hasAuthorizer) {
      variables.push(['authorizer', AUTHORIZER], ['authorizer.requestResource', REQUEST_RESOURCE]);
    }
    if (this.#names.hasVariables) {
      variables.push(['variables', struct(VARIABLES)]);
      structs.set(VARIABLES, structOf(this.#fields, VARIABLES));
    }
    const named = [...structs.keys()].map((name) => [name, struct(name)] as const);
    for (const [name, shape] of [...(object?.structs ?? []), ...(params?.structs ?? [])]) {
      structs.set(name, shape);
    }
    return {
      ...base,
      variables: new Map(variables.map(([name, type]) => [name, { name, type }])),
      structs,
      typeNames: new Map([...base.typeNames, ...named, ['timestamp', TIMESTAMP], ['duration', DURATION]]),
    };
  }
}

const KEPT: ReadonlySet<Type['kind']> = new Set([
  ...(['bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint'] as const),
]);

/** Returns the type by which other expressions see a variable: types of libraries are dynamic. */
function variableType(type: Type): Type {
  if (KEPT.has(type.kind)) return type;
  const [first, second] = type.parameters;
  if (type.kind === 'list' && first !== undefined) return types.listOf(variableType(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) {
    return types.mapOf(variableType(first), variableType(second));
  }
  return types.DYN;
}
