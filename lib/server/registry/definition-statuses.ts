import type { Hints } from '../../coordination/index.ts';
import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import { type Clock, MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store, type WriteOutcome } from '../../store/index.ts';
import { CustomTypes } from './custom-types.ts';
import type { NamingContext } from './definition-store.ts';

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
  const options = { clock, hints, types: new CustomTypes(clock) };
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

interface Writing extends NamingContext {
  readonly store: Store;
  readonly hints: Pick<Hints, 'announce'>;
}

async function settleNames({ store, hints, ...context }: Writing): Promise<void> {
  const { giveNames } = await loadWriter();
  const states: ObjectState[] = [];
  for await (const { items } of eachPage(store, DEFINITIONS, {
    selector: everything,
    mostHeap: MEMORY.page,
  })) {
    states.push(...items);
  }
  for (const state of states) await announced(hints, await giveNames({ store, ...context }, state));
}

async function write(
  { store, hints, ...context }: Writing,
  name: Parameters<Store['write']>[1],
  change: Parameters<Store['write']>[2],
): Promise<void> {
  const { definitionStore } = await loadWriter();
  await announced(hints, await definitionStore(store, context).write(DEFINITIONS, name, change));
}

async function announced(hints: Writing['hints'], outcome: WriteOutcome | undefined): Promise<void> {
  if (outcome === undefined || outcome.kind === 'none' || outcome.after === undefined) return;
  await hints.announce(DEFINITIONS, outcome.after.rv);
}
