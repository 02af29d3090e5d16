import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { checkNew, estimate } from '../../lib/cel/definitions.ts';
import {
  BudgetExceededError,
  compile,
  ExpressionError,
  Meter,
  ProgramError,
  TimeExceededError,
} from '../../lib/cel/index.ts';
import { loadPatterns } from '../../lib/kubernetes/schemas/patterns.ts';
import { Dice } from '../integration/service/realistic/dice.ts';
import { hostileExpression, NINE_TIMES } from './hostile-expressions.ts';
import { subjectEnvironment, subjectSize, subjectValue } from './oracle/subject.ts';

/**
 * Evaluates hostile expressions. Each must end within a second of processor time, and with less than 100 MB more memory.
 * Expressions that replace nine times must end within 50 ms, once the code is warm. Exit code 1 if one does not.
 */

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '5000' } },
});
const MOST_MILLISECONDS = 1000;
const MOST_BYTES = 100_000_000;
const BUDGET = 1_000_000;
/** The bar of an expression that replaces nine times, and how often each is tried. The fastest try counts. */
const NINE_MILLISECONDS = 50;
const TRIES = 5;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const patterns = await loadPatterns();
const environment = subjectEnvironment();
const regexes = (pattern: string) => patterns.regexOf(pattern);

/** How an expression ended, and what it took. */
interface Tried {
  readonly expression: string;
  readonly end: string;
  readonly milliseconds: number;
  readonly bytes: number;
}

const dice = new Dice(Number(values.seed));
const ends = new Map<string, number>();
let slowest: Tried | undefined;
let largest: Tried | undefined;
let failures = 0;
for (let left = Number(values.count); left > 0; left -= 1) {
  const tried = attempt(hostileExpression(dice));
  ends.set(tried.end, (ends.get(tried.end) ?? 0) + 1);
  if (tried.milliseconds > (slowest?.milliseconds ?? 0)) slowest = tried;
  if (tried.bytes > (largest?.bytes ?? 0)) largest = tried;
  if (tried.milliseconds > MOST_MILLISECONDS || tried.bytes > MOST_BYTES) fail(tried);
}
console.log(Object.fromEntries(ends));
if (slowest !== undefined) console.log(`slowest: ${described(slowest)}`);
if (largest !== undefined) console.log(`largest: ${described(largest)}`);
for (const expression of NINE_TIMES) {
  const tries = Array.from({ length: TRIES }, () => attempt(expression));
  const [best] = tries.toSorted((one, other) => one.milliseconds - other.milliseconds);
  if (best === undefined) continue;
  console.log(`replaced nine times: ${described(best)}`);
  if (best.milliseconds > NINE_MILLISECONDS) fail(best);
}
console.log(`${values.count} expressions of seed ${values.seed}: ${failures} exceed their bar`);
process.exit(failures === 0 ? 0 : 1);

function fail(tried: Tried): void {
  failures += 1;
  console.log(`too much: ${described(tried)}`);
}

function attempt(expression: string): Tried {
  collectGarbage();
  const before = used();
  const start = processorTime();
  const end = endOf(expression);
  return { expression, end, milliseconds: processorTime() - start, bytes: used() - before };
}

/** Writes a line about an expression. What the expression repeats is written once. */
function described({ expression, end, milliseconds, bytes }: Tried): string {
  const brief = expression
    .replace(/(.{1,30}?)\1{4,}/gs, (run, part: string) => `{${part}}×${run.length / part.length}`)
    .slice(0, 500);
  return `${milliseconds.toFixed(1)} ms, ${Math.round(bytes / 1e6)} MB, ${end}: ${brief}`;
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
    const checked = checkNew(expression, environment, regexes);
    estimate(checked, subjectSize);
    const program = compile(checked, { ...environment, regexes });
    program.evaluate(subjectValue, new Meter({ cost: BUDGET, now: processorTime }));
    return 'evaluated';
  } catch (error) {
    const known = [ExpressionError, ProgramError, BudgetExceededError, TimeExceededError];
    const kind = known.find((each) => error instanceof each);
    if (kind === undefined) throw error;
    return kind.name;
  }
}
