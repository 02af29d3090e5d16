/** Compiled selectors and interned labels, as a peer of the `selectors` bench. The argument says who asks whom. */
import { type Labels, parseSelector, type Selector } from '../../../lib/selectors/index.ts';
import { median } from '../report.ts';
import { evaluate, type Questions } from './evaluate.ts';
import { askDispatch, askEach, askList, type Compile, type Grid } from './grid-questions.ts';
import { readLines } from './lines.ts';
import type { Command, Prepared } from './protocol.ts';
import { serve } from './serve.ts';

const FORMS: ReadonlyMap<string | undefined, Compile> = new Map([
  ['list', askList],
  ['dispatch', askDispatch],
  ['interned', askEach],
]);
const compile = FORMS.get(process.argv[2]);
if (compile === undefined) throw new Error(`unknown form ${process.argv[2]}`);

let grid: Grid = { selectors: [], sets: [] };
let questions: Questions = compile(grid)();

await serve((command: Command) => {
  switch (command.do) {
    case 'grid':
      grid = readGrid(command.file);
      questions = compile(grid)();
      return { questions: questions.count };
    case 'evaluate':
      return evaluate(questions, command.milliseconds);
    case 'prepare':
      return prepare(compile, command.milliseconds);
    default:
      throw new Error(`unknown command ${command.do}`);
  }
});

function readGrid(file: string): Grid {
  const selectors: Selector[] = [];
  const sets: Labels[] = [];
  for (const line of readLines(file)) {
    const { selector, labels } = JSON.parse(line) as { selector?: string; labels?: Labels };
    if (selector !== undefined) selectors.push(parseSelector(selector));
    if (labels !== undefined) sets.push(labels);
  }
  return { selectors, sets };
}

/** What is made when it is first asked for counts as interning: so far as the first pass is slower than the second. */
function prepare(compileGrid: Compile, milliseconds: number): Prepared {
  const laps = {
    compiling: [] as number[],
    interning: [] as number[],
    first: [] as number[],
    second: [] as number[],
  };
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const lap = stopwatch();
    const intern = compileGrid(grid);
    laps.compiling.push(lap());
    const asked = intern();
    laps.interning.push(lap());
    asked.ask();
    laps.first.push(lap());
    asked.ask();
    laps.second.push(lap());
  }
  const putOff = Math.max(0, median(laps.first) - median(laps.second));
  return {
    selector: median(laps.compiling) / grid.selectors.length,
    labelSet: (median(laps.interning) + putOff) / grid.sets.length,
  };
}

/** Nanoseconds since the last call, or since it was made. */
function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const before = last;
    last = performance.now();
    return (last - before) * 1e6;
  };
}
