import { registerHooks } from 'node:module';
import { type Examined, examine } from './examine.ts';
import type { RunOptions } from './run.ts';

const loaded: string[] = [];

/** Records each module that this process loads from now on. */
export function noteLoads(): void {
  registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
}

/**
 * The same as `examine`, for a run that must load nothing. Loading takes real time, which is not derived from the
 * seed, so a busy machine could change the run. A run with violations may load modules that no other run loads.
 * @throws if nothing is wrong and a module was loaded after the run began: the scenario's warm-up has to load it
 */
export async function examineWithoutLoads(options: RunOptions): Promise<Examined> {
  const examined = await examine({ ...options, begins: () => loaded.splice(0) });
  const { scenario, seed } = options;
  if (loaded.length > 0 && examined.violations.length === 0) {
    throw new Error(`${scenario.name}, seed ${seed}: loaded while it ran: ${loaded.join(', ')}`);
  }
  return examined;
}
