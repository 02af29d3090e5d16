import type { JournalChange } from '../../../store/index.ts';

/**
 * The resourceVersion of the change before one, among all changes, or among those of more than the status; 0 if there is
 * none.
 */
export function previousOf({ previousRv, previousMain }: JournalChange, all: boolean): number {
  return all || previousMain === 0 ? previousRv : previousMain;
}
