import { registerHooks } from 'node:module';
import { type Examined, examine } from './examine.ts';
import type { RunOptions } from './run.ts';

const loaded: string[] = [];

/** Notes each module that this process loads from now on. */
export function noteLoads(): void {
  registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
}

/**
 * The same as `examine`, of a run that loads nothing: that takes real time, which no seed knows of, so that a run would
 * be another one on a busy machine. Where something is wrong, that may have loaded what nothing else does.
 * @throws where nothing is wrong, and a module was loaded after the run began: what warms the scenario up has to have it
 * loaded
 */
export async function examineWithoutLoads(options: RunOptions): Promise<Examined> {
  const examined = await examine({ ...options, begins: () => loaded.splice(0) });
  const { scenario, seed } = options;
  if (loaded.length > 0 && examined.violations.length === 0) {
    throw new Error(`${scenario.name}, seed ${seed}: loaded while it ran: ${loaded.join(', ')}`);
  }
  return examined;
}
