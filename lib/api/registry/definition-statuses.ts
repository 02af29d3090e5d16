import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { DEFINITIONS, type Hints } from '../../watch/index.ts';

/** Gives definitions that wait for names those that are free by now. */
export async function settleNames(store: Store, clock: Clock, hints: Pick<Hints, 'announce'>): Promise<void> {
  const { awaitsNames } = await import('../schemas/index.ts');
  const { definitionStore, named } = await import('./definition-store.ts');
  const { readDefinitions } = await import('./read-definitions.ts');
  const { states } = await readDefinitions(store);
  for (const { name, body } of states.filter((state) => awaitsNames(state.body))) {
    const preview = await named({ store, clock }, { kind: 'put', body });
    if (preview.kind !== 'put' || awaitsNames(preview.body)) continue;
    const { kind, after } = await definitionStore(store, clock).write(DEFINITIONS, name, (current) =>
      current === undefined ? { kind: 'none' } : { kind: 'put', body: current.body },
    );
    if (kind !== 'none' && after !== undefined) await hints.announce(DEFINITIONS, after.rv);
  }
}
