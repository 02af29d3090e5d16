import type { Environment } from '@marcbachmann/cel-js';
import type { Budget } from './budget.ts';
import type { CelLibrary } from './cel-library.ts';
import { meter } from './meter.ts';
import { readRule } from './read-rule.ts';
import { RuleError } from './rule-error.ts';

/** The variables of an expression. `oldSelf` is absent if the rule does not use it. */
export interface Activation {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

/** An expression that was parsed, accepted and type-checked. */
export interface CompiledExpression {
  readonly usesOldSelf: boolean;
  /** The syntax tree of the original expression. */
  readonly ast: unknown;
  /** @throws Error if the expression has no value: an absent field, a division by zero, an exceeded budget */
  readonly evaluate: (activation: Activation) => unknown;
}

/** An expression, its required type, and the message if it has another type. */
export interface Wanted {
  readonly text: string;
  readonly type: 'bool' | 'string';
  readonly otherwise: string;
  /** The budget that pays for each evaluation. */
  readonly budget: Budget;
}

/**
 * Compiles an expression.
 *
 * @throws {RuleError} it does not parse, is longer than 100,000 code points, uses an unsupported feature, or has
 * wrong types
 * @throws {WrongResultError} its result has another type
 */
export function compileExpression(
  library: CelLibrary,
  environment: Environment,
  { text, type, otherwise, budget }: Wanted,
): CompiledExpression {
  refuseLong(text);
  const read = readRule(library, environment, text);
  const checked = environment.parse(read.checked).check();
  if (!checked.valid) throw located(environment, checked.error, { text, read: read.checked });
  if (checked.type !== type && checked.type !== 'dyn') throw new WrongResultError(otherwise);
  const program = environment.parse(read.text);
  meter(program.ast, budget);
  return {
    usesOldSelf: read.usesOldSelf,
    ast: environment.parse(text).ast,
    evaluate: (activation) => program(activation as unknown as Record<string, unknown>),
  };
}

/** The limit of code points in an expression, as in CEL's parser. */
const LONGEST = 100_000;

function refuseLong(text: string): void {
  if (text.length <= LONGEST) return;
  const size = [...text].length;
  if (size <= LONGEST) return;
  throw RuleError.ofWhole(`expression code point size exceeds limit: size: ${size}, limit ${LONGEST}`);
}

/** The result of an expression does not have the required type. */
export class WrongResultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongResultError';
  }
}

/** Returns the error with its position in the original text, if that text has the same error. */
function located(
  environment: Environment,
  error: unknown,
  { text, read }: { text: string; read: string },
): RuleError {
  const original = environment.parse(text).check();
  const same = !original.valid && firstLine(original.error) === firstLine(error);
  return same ? RuleError.of(original.error, text) : RuleError.of(error, read);
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
}
