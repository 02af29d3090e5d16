import { parseArgs } from 'node:util';
import { explain, type Line, printed } from './explain.ts';
import { examineWithoutLoads, noteLoads } from './loads.ts';
import { SCENARIOS, type Scenario, scenarioNamed } from './scenarios/index.ts';

/**
 * `npm run simulate -- --seeds 1000`: many runs, the scenarios in turn. `--scenario NAME`: only that one. `--from N`:
 * the first seed. `--stop`: end at the first violation. `--seed N`: replays one run, and prints all that happened in
 * it.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    scenario: { type: 'string' },
    stop: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
});

const PROGRESS_EVERY = 2_000;

function scenarioOf(seed: number): Scenario {
  const scenario =
    values.scenario === undefined ? SCENARIOS[seed % SCENARIOS.length] : scenarioNamed(values.scenario);
  if (scenario === undefined) throw new Error('there are no scenarios');
  return scenario;
}

/** Prints one line for a violation, which a program can read as well. */
function report(seed: number, scenario: string, violation: { check: string; message: string }): void {
  console.log(`seed ${seed} scenario ${scenario}: ${violation.check}: ${violation.message}`);
}

async function many(): Promise<number> {
  const first = Number(values.from);
  const began = performance.now();
  let violations = 0;
  let told = began;
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const scenario = scenarioOf(seed);
    const found = (await examineWithoutLoads({ seed, scenario })).violations;
    violations += found.length;
    for (const violation of found.slice(0, 3)) report(seed, scenario.name, violation);
    const now = performance.now();
    if (!values.quiet && now - told > PROGRESS_EVERY) {
      told = now;
      const rate = ((seed - first + 1) / (now - began)) * 1000;
      console.error(`${seed - first + 1} seeds, ${rate.toFixed(1)} a second, ${violations} violations`);
    }
    if (values.stop && violations > 0) break;
  }
  const seconds = (performance.now() - began) / 1000;
  if (!values.quiet) {
    console.log(
      `${values.seeds} seeds, ${(Number(values.seeds) / seconds).toFixed(1)} a second, ${violations} violations`,
    );
  }
  return violations;
}

async function replay(seed: number): Promise<number> {
  const inside: Line[] = [];
  const trace = values.quiet
    ? undefined
    : (at: number, text: string) => inside.push({ at, text: `  ${text}` });
  const scenario = scenarioOf(seed);
  const { history, violations } = await examineWithoutLoads({ seed, scenario, trace });
  const told = history === undefined ? [] : explain(history);
  const lines = [...told, ...inside].sort((left, right) => left.at - right.at);
  if (!values.quiet) for (const line of lines) console.log(printed(line));
  for (const violation of violations) {
    report(seed, scenario.name, violation);
    if (!values.quiet) for (const evidence of violation.evidence) console.log(`    ${evidence}`);
  }
  return violations.length;
}

noteLoads();
const violations = await (values.seed === undefined ? many() : replay(Number(values.seed)));
process.exitCode = violations > 0 ? 1 : 0;
