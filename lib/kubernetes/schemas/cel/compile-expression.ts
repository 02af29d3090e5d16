import type { Environment } from '@marcbachmann/cel-js';
import type { Budget } from './budget.ts';
import type { CelLibrary } from './cel-library.ts';
import { meter } from './meter.ts';
import { readRule } from './read-rule.ts';
import { RuleError } from './rule-error.ts';

/** What an expression is evaluated with. `oldSelf` is absent where the rule does not use it. */
export interface Activation {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

/** An expression that has been parsed, accepted and checked against the types that it sees. */
export interface CompiledExpression {
  readonly usesOldSelf: boolean;
  /** The tree of the expression as it was written. */
  readonly ast: unknown;
  /** @throws Error the expression has no value: an absent field, a division by zero, the budget */
  readonly evaluate: (activation: Activation) => unknown;
}

/** An expression, what it has to give, and what is said where it gives something else. */
export interface Wanted {
  readonly text: string;
  readonly type: 'bool' | 'string';
  readonly otherwise: string;
  /** Pays for each evaluation. */
  readonly budget: Budget;
}

/**
 * @throws {RuleError} it is none, is longer than 100,000 code points, uses what is not supported, or its types do not fit
 * @throws {WrongResultError} it gives another type
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

/** Code points of one expression, as CEL's parser bounds them. */
const LONGEST = 100_000;

function refuseLong(text: string): void {
  if (text.length <= LONGEST) return;
  const size = [...text].length;
  if (size <= LONGEST) return;
  throw RuleError.ofWhole(`expression code point size exceeds limit: size: ${size}, limit ${LONGEST}`);
}

/** An expression gives another type than it has to. */
export class WrongResultError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongResultError';
  }
}

/** The error with its place in the text as it was written, where that has the same error. */
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
