import type { Hints } from '../../coordination/index.ts';
import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { ObjectState, Store, WriteOutcome } from '../../store/index.ts';
import { readDefinitions } from './read-definitions.ts';

/** The writer of the statuses of definitions. */
export interface DefinitionStatuses {
  /** Gives definitions their requested names, if these have become free. */
  settleNames(store: Store): Promise<void>;
  /** Writes into a definition's status that its objects are being deleted. */
  tellDeletion(store: Store, definition: ObjectState): Promise<void>;
}

/** Loads the writer of definitions with the first write. */
const loadWriter = () => import('./definition-store.ts');

/** The writer of definitions' statuses for the reconciler. */
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
