import { checkTypes } from './check/index.ts';
import type { Checked } from './checked.ts';
import type { Environment } from './declarations.ts';
import { parse } from './parse/index.ts';

/**
 * Parses a stored expression and checks its types. Its literals were validated when it was written.
 *
 * @throws {ExpressionError} with all faults of the first step that finds one
 */
export function checkStored(text: string, environment: Environment): Checked {
  return checkTypes(parse(text), environment);
}

/** The functions that make values of Kubernetes' libraries, `format` and `strings.quote`. */
const MAKERS =
  /\b(?:url|isURL|ip|isIP|cidr|isCIDR|quantity|isQuantity|semver|isSemver|format|authorizer|strings)\b/;

/** Returns true for an expression that may use Kubernetes' libraries. */
export function usesLibraries(text: string): boolean {
  return MAKERS.test(text);
}
