import type { ObjectState, Store } from '../../store/index.ts';

/** The writer of the statuses of definitions. */
export interface DefinitionStatuses {
  /** Gives definitions the names that they ask for, if the names are free by now. */
  settleNames(store: Store): Promise<void>;
  /** Writes into a definition's status that its objects are being deleted. */
  tellDeletion(store: Store, definition: ObjectState): Promise<void>;
}
