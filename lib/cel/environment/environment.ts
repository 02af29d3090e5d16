import type { Environment, FunctionDeclaration } from '../declarations.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  param,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from '../types.ts';
import { AUTHORIZER, CONVERSIONS, KUBERNETES, OPERATORS, STORED_ONLY, TIMES, VALUES } from './functions.ts';
import { aggregates, functionsIn, orders } from './signature.ts';

/**
 * Which functions an expression may use: `new` has those that Kubernetes 1.32 also knows, `stored` those of 1.33. So an
 * expression that was written under 1.33 survives a downgrade.
 */
export type EnvironmentVersion = 'new' | 'stored';

const KNOWN = new Map<EnvironmentVersion, Environment>();

/** Returns the environment without variables and structs. */
export function environmentOf(version: EnvironmentVersion): Environment {
  const known = KNOWN.get(version);
  if (known !== undefined) return known;
  const tables = [OPERATORS, CONVERSIONS, TIMES, AUTHORIZER, KUBERNETES, VALUES];
  const functions = [...tables.flatMap(functionsIn), ...orders(), ...aggregates()];
  if (version === 'stored') functions.push(...functionsIn(STORED_ONLY));
  const environment = {
    functions: byName(functions),
    variables: new Map(),
    structs: new Map(),
    typeNames: TYPE_NAMES,
  };
  KNOWN.set(version, environment);
  return environment;
}

/** Joins declarations of the same name. */
function byName(functions: readonly FunctionDeclaration[]): ReadonlyMap<string, FunctionDeclaration> {
  const joined = new Map<string, FunctionDeclaration>();
  for (const { name, overloads } of functions) {
    joined.set(name, { name, overloads: [...(joined.get(name)?.overloads ?? []), ...overloads] });
  }
  return joined;
}

/** The types that expressions can name. */
const TYPE_NAMES: ReadonlyMap<string, Type> = new Map(
  [
    ...[BOOL, BYTES, DOUBLE, DURATION, INT, listOf(param('A')), mapOf(param('A'), param('B'))],
    ...[NULL, STRING, TIMESTAMP, TYPE, UINT, opaque('net.IP'), opaque('net.CIDR'), optionalOf(param('V'))],
  ].map((type) => [type.name, type]),
);
