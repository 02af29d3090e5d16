import type { CallExpression } from './ast.ts';
import { checkTypes } from './check/index.ts';
import type { Checked } from './checked.ts';
import type { Environment } from './declarations.ts';
import { compile, ProgramError } from './evaluate/index.ts';
import type { Regexes } from './functions/index.ts';
import { Meter } from './meter.ts';
import { parse } from './parse/index.ts';
import { validate } from './validate/index.ts';
import { CelError } from './values/index.ts';

export { estimate, type Range, type SizeOf } from './estimate/index.ts';

/** What one literal may cost to evaluate. */
const LITERAL_COST = 10_000;

/**
 * Parses an expression that is written, checks its types, and validates its literals.
 *
 * @throws {ExpressionError} with all faults of the first step that finds one
 */
export function checkNew(text: string, environment: Environment, regexes: Regexes): Checked {
  const checked = checkTypes(parse(text), environment);
  validate(checked, {
    evaluates: (call) => evaluates({ ...checked, expression: call }, environment, regexes),
    isPattern: (pattern) => !('error' in regexes(pattern)),
  });
  return checked;
}

function evaluates(
  call: Checked & { readonly expression: CallExpression },
  environment: Environment,
  regexes: Regexes,
): boolean {
  try {
    const program = compile(call, { ...environment, regexes });
    const value = program.evaluate(() => undefined, new Meter({ cost: LITERAL_COST }));
    return !(value instanceof CelError);
  } catch (error) {
    if (error instanceof ProgramError) return false;
    throw error;
  }
}
