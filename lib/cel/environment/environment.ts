import type { Environment, FunctionDeclaration, Library } from '../declarations.ts';
import { IMPLEMENTATIONS } from '../functions/index.ts';
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
  param,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from '../types.ts';
import { CONVERSIONS, OPERATORS, TIMES, VALUES } from './functions.ts';
import { aggregates, conversionsIn, functionsIn, orders, partsIn } from './signature.ts';

/**
 * Which functions an expression may use: `new` has those that Kubernetes 1.32 also knows, `stored` those of 1.33. So an
 * expression that was written under 1.33 survives a downgrade.
 */
export type EnvironmentVersion = 'new' | 'stored';

/** The environments so far, by version and by the libraries that they have. */
const KNOWN = new Map<EnvironmentVersion, Map<readonly Library[], Environment>>();
const NO_LIBRARIES: readonly Library[] = [];

/** Returns the environment without variables and structs. Environments are kept: pass the same list of libraries. */
export function environmentOf(
  version: EnvironmentVersion,
  libraries: readonly Library[] = NO_LIBRARIES,
): Environment {
  const known = KNOWN.get(version) ?? new Map<readonly Library[], Environment>();
  KNOWN.set(version, known);
  const environment = known.get(libraries) ?? made(version, libraries);
  known.set(libraries, environment);
  return environment;
}

function made(version: EnvironmentVersion, libraries: readonly Library[]): Environment {
  const own = [
    ...[OPERATORS, VALUES].flatMap(functionsIn),
    ...conversionsIn(CONVERSIONS),
    ...partsIn(TIMES),
    ...orders(),
    ...aggregates(),
  ];
  const others = libraries.flatMap(({ functions, stored }) =>
    version === 'stored' ? [...functions, ...stored] : functions,
  );
  const types = [...TYPES, ...libraries.flatMap((library) => library.types)];
  return {
    functions: byName([...own, ...others]),
    implementations: Object.assign(
      {},
      IMPLEMENTATIONS,
      ...libraries.map(({ implementations }) => implementations),
    ),
    variables: new Map(),
    structs: new Map(),
    typeNames: new Map(types.map((type) => [type.name, type])),
  };
}

/** Joins declarations of the same name. */
function byName(functions: readonly FunctionDeclaration[]): ReadonlyMap<string, FunctionDeclaration> {
  const joined = new Map<string, FunctionDeclaration>();
  for (const { name, overloads } of functions) {
    joined.set(name, { name, overloads: [...(joined.get(name)?.overloads ?? []), ...overloads] });
  }
  return joined;
}

/** The types that expressions can name without a library. */
const TYPES: readonly Type[] = [
  ...[BOOL, BYTES, DOUBLE, DURATION, INT, listOf(param('A')), mapOf(param('A'), param('B'))],
  ...[NULL, STRING, TIMESTAMP, TYPE, UINT, opaque('optional_type')],
];
