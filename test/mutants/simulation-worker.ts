import { examine } from '../simulation/examine.ts';
import { scenarioNamed } from '../simulation/scenarios/index.ts';
import type { Ask, Finding, Run } from './messages.ts';
import { serve } from './serve.ts';
import type { MutantSwitch } from './switch.ts';

/** A warm process that runs seeds of the simulation with the mutants it is told. Started with `hooks.ts`. */
const { winnowMutants: mutants } = globalThis as unknown as { readonly winnowMutants: MutantSwitch };
let unhandled = 0;
process.on('unhandledRejection', () => {
  unhandled += 1;
});
serve(answer);

async function answer({ mutant, pieces, most }: Ask<Run>): Promise<Finding> {
  const met = new Set<string>();
  let asked = 0;
  for (const { scenario, seed } of pieces) {
    mutants.turn(mutant, most);
    unhandled = 0;
    const { violations } = await examine({ seed, scenario: scenarioNamed(scenario) });
    // What nobody caught is told behind the microtasks of the run.
    await new Promise((resolve) => setImmediate(resolve));
    for (const id of mutants.met()) met.add(id);
    asked = Math.max(asked, mutants.asked);
    const fault = faultOf(violations[0]?.check);
    if (fault !== undefined) return { by: `${scenario} ${seed}: ${fault}`, met: [...met], asked };
  }
  return { by: undefined, met: [...met], asked };
}

function faultOf(violated: string | undefined): string | undefined {
  if (mutants.isEndless) return 'endless';
  return violated ?? (unhandled > 0 ? 'unhandled-rejection' : undefined);
}
