import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { DEFINITIONS, type DefinitionStatuses, type Hints } from '../../watch/index.ts';
import { readDefinitions } from './read-definitions.ts';

/** What writes definitions is loaded when first one is to be written. */
const loadWriter = () => import('./definition-store.ts');

/** How reconcile has definitions say what becomes of them. */
export function definitionStatuses(clock: Clock, hints: Pick<Hints, 'announce'>): DefinitionStatuses {
  const options = { clock, hints };
  return {
    settleNames: (store) => settleNames({ ...options, store }),
    tellDeletion: async (store, { name, uid }) => {
      const { deletionTold } = await loadWriter();
      await write({ ...options, store }, name, (current) =>
        current?.uid === uid ? deletionTold(current, clock) : { kind: 'none' },
      );
    },
  };
}

interface Writing {
  readonly store: Store;
  readonly clock: Clock;
  readonly hints: Pick<Hints, 'announce'>;
}

async function settleNames(options: Writing): Promise<void> {
  const { awaitsNames } = await import('../schemas/index.ts');
  const { named } = await loadWriter();
  const { states } = await readDefinitions(options.store);
  for (const { name, body } of states.filter((state) => awaitsNames(state.body))) {
    const preview = await named(options, { kind: 'put', body });
    if (preview.kind !== 'put' || awaitsNames(preview.body)) continue;
    await write(options, name, (current) =>
      current === undefined ? { kind: 'none' } : { kind: 'put', body: current.body },
    );
  }
}

async function write(
  { store, clock, hints }: Writing,
  name: Parameters<Store['write']>[1],
  change: Parameters<Store['write']>[2],
): Promise<void> {
  const { definitionStore } = await loadWriter();
  const { kind, after } = await definitionStore(store, clock).write(DEFINITIONS, name, change);
  if (kind !== 'none' && after !== undefined) await hints.announce(DEFINITIONS, after.rv);
}
