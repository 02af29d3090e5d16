import { checkNew, estimate } from '../../../lib/cel/definitions.ts';
import {
  BudgetExceededError,
  CelError,
  type Checked,
  compile,
  ExpressionError,
  Meter,
  ProgramError,
} from '../../../lib/cel/index.ts';
import { loadPatterns } from '../../../lib/kubernetes/schemas/patterns.ts';
import { show, typeText } from './show.ts';
import { subjectEnvironment, subjectSize, subjectValue } from './subject.ts';

/** What is known of an expression. The oracle in Go answers in the same form. */
export interface Answer {
  readonly issues?: string;
  readonly program?: string;
  readonly type?: string;
  readonly min?: string;
  readonly max?: string;
  readonly value?: string;
  readonly error?: string;
  readonly cost?: string;
  /** Set where cel-go crashed. Winnow must answer, but nothing says what. */
  readonly panic?: string;
}

/** The budget of one expression, as in kube-apiserver. */
const BUDGET = 1_000_000;

/** Returns the function that answers as the oracle does, with Winnow's own code. */
export async function ownOracle(): Promise<(expression: string) => Answer> {
  const patterns = await loadPatterns();
  const environment = subjectEnvironment();
  const regexes = (pattern: string) => patterns.regexOf(pattern);
  return (expression) => {
    patterns.refill();
    try {
      return evaluated(checkNew(expression, environment, regexes));
    } catch (error) {
      if (error instanceof ExpressionError) return { issues: error.message };
      throw error;
    }
  };

  function evaluated(checked: Checked): Answer {
    const { min, max } = estimate(checked, subjectSize);
    const answer = { type: typeText(checked.type), min: String(min), max: String(max) };
    const meter = new Meter({ cost: BUDGET });
    try {
      const program = compile(checked, { ...environment, regexes });
      const value = program.evaluate(subjectValue, meter);
      const cost = String(meter.cost);
      return value instanceof CelError
        ? { ...answer, error: value.message, cost }
        : { ...answer, value: show(value), cost };
    } catch (error) {
      if (error instanceof ProgramError) return { ...answer, program: error.message };
      if (error instanceof BudgetExceededError) return { ...answer, error: error.message };
      throw error;
    }
  }
}

/**
 * Returns how Winnow's answer differs from upstream's; undefined if they say the same. Messages may differ, but not
 * whether there is one.
 */
export function difference(upstream: Answer, own: Answer): string | undefined {
  if (upstream.panic !== undefined) return undefined;
  for (const key of ['issues', 'program', 'type', 'min', 'max', 'value', 'error', 'cost'] as const) {
    const [a, b] = [upstream[key], own[key]];
    const isMessage = key === 'issues' || key === 'program' || key === 'error';
    if (isMessage ? (a === undefined) !== (b === undefined) : a !== b) return key;
    if (key === 'issues' && a !== undefined) return undefined;
    // Where the budget ends or cel-go crashes, the two charge the last call at different times.
    if (key === 'error' && a !== undefined && /cost limit|internal error/.test(a)) return undefined;
  }
  return undefined;
}
