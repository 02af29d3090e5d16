import { parseArgs } from 'node:util';
import { checkNew, estimate } from '../../lib/cel/definitions.ts';
import {
  BudgetExceededError,
  type Checked,
  compile,
  ExpressionError,
  Meter,
  ProgramError,
  TimeExceededError,
} from '../../lib/cel/index.ts';
import { loadPatterns } from '../../lib/kubernetes/schemas/patterns.ts';
import { Dice } from '../integration/service/realistic/dice.ts';
import { hostileExpression } from './hostile-expressions.ts';
import { subjectEnvironment, subjectSize, subjectValue } from './oracle/subject.ts';

/**
 * Evaluates hostile expressions. Each must end within a second of processor time, and with less than 100 MB more memory.
 * Exit code 1 if one does not.
 */

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '5000' } },
});
const MOST_MILLISECONDS = 1000;
/** What the clock may notice too late: a step that cannot be interrupted. */
const GRACE = 500;
const MOST_BYTES = 100_000_000;
const BUDGET = 1_000_000;

const patterns = await loadPatterns();
const environment = subjectEnvironment();
const dice = new Dice(Number(values.seed));
const regexes = (pattern: string) => patterns.regexOf(pattern);
const ends = new Map<string, number>();
let slowest = { milliseconds: 0, expression: '' };
let largest = { bytes: 0, expression: '' };
let failures = 0;

for (let left = Number(values.count); left > 0; left -= 1) {
  const expression = hostileExpression(dice);
  globalThis.gc?.();
  const before = used();
  const start = processorTime();
  const end = endOf(expression);
  const milliseconds = processorTime() - start;
  const bytes = used() - before;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  if (milliseconds > slowest.milliseconds) slowest = { milliseconds, expression };
  if (bytes > largest.bytes) largest = { bytes, expression };
  if (milliseconds <= MOST_MILLISECONDS + GRACE && bytes <= MOST_BYTES) continue;
  failures += 1;
  console.log(`${Math.round(milliseconds)} ms, ${Math.round(bytes / 1e6)} MB: ${brief(expression)}`);
}
console.log(Object.fromEntries(ends));
console.log(`slowest: ${Math.round(slowest.milliseconds)} ms, ${brief(slowest.expression)}`);
console.log(`largest: ${Math.round(largest.bytes / 1e6)} MB, ${brief(largest.expression)}`);
process.exit(failures === 0 ? 0 : 1);

/** Shortens what an expression repeats. */
function brief(expression: string): string {
  return expression
    .replace(/(.{1,30}?)\1{4,}/gs, (run, part: string) => `{${part}}×${run.length / part.length}`)
    .slice(0, 500);
}

/** The processor time of this process in milliseconds. The load of the machine does not change it. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The memory of values, whose garbage counts too. */
function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Evaluates an expression and says how it ended. */
function endOf(expression: string): string {
  patterns.refill();
  try {
    const checked: Checked = checkNew(expression, environment, regexes);
    estimate(checked, subjectSize);
    const program = compile(checked, { ...environment, regexes });
    const meter = new Meter({ cost: BUDGET, now: processorTime, milliseconds: MOST_MILLISECONDS });
    program.evaluate(subjectValue, meter);
    return 'evaluated';
  } catch (error) {
    const known = [ExpressionError, ProgramError, BudgetExceededError, TimeExceededError];
    const kind = known.find((each) => error instanceof each);
    if (kind === undefined) throw error;
    return kind.name;
  }
}
