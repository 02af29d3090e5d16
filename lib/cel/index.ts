/**
 * Kubernetes' expressions (CEL), as kube-apiserver 1.33 has them: types and evaluation. The estimate and Kubernetes'
 * libraries are loaded apart, from definitions.ts and libraries.
 */

export { checkStored, usesLibraries } from './check-stored.ts';
export type { Checked } from './checked.ts';
export type {
  Environment,
  FunctionDeclaration,
  Library,
  Overload,
  VariableDeclaration,
} from './declarations.ts';
export { type EnvironmentVersion, environmentOf } from './environment/index.ts';
export { compile, type Program, ProgramError } from './evaluate/index.ts';
export type { Regex, Regexes } from './functions/index.ts';
export { ExpressionError } from './issues.ts';
export { BudgetExceededError, Meter, TimeExceededError } from './meter.ts';
export type { Shape, ShapeField } from './shape.ts';
export type { Type } from './types.ts';
export * as types from './types.ts';
export {
  CelError,
  fromJson,
  MapValue,
  NONE,
  noOverload,
  OptionalValue,
  typeNameOf,
  type Value,
} from './values/index.ts';
