import type { Hints } from '../../coordination/index.ts';
import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store, WriteOutcome } from '../../store/index.ts';
import type { DefinitionStatuses } from './definition-statuses-contract.ts';
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

async function settleNames({ store, clock, hints }: Writing): Promise<void> {
  const { giveNames } = await loadWriter();
  const { states } = await readDefinitions(store);
  for (const state of states) await announced(hints, await giveNames({ store, clock }, state));
}

async function write(
  { store, clock, hints }: Writing,
  name: Parameters<Store['write']>[1],
  change: Parameters<Store['write']>[2],
): Promise<void> {
  const { definitionStore } = await loadWriter();
  await announced(hints, await definitionStore(store, clock).write(DEFINITIONS, name, change));
}

async function announced(hints: Writing['hints'], outcome: WriteOutcome | undefined): Promise<void> {
  if (outcome === undefined || outcome.kind === 'none' || outcome.after === undefined) return;
  await hints.announce(DEFINITIONS, outcome.after.rv);
}
