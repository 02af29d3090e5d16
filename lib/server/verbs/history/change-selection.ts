import { parseFieldSelector } from '../../../selectors/index.ts';
import type { JournalChange, ObjectState } from '../../../store/index.ts';
import type { Selection } from '../../http/index.ts';
import type { Show } from '../../registry/index.ts';
import type { HistoryType } from './history-item.ts';
import type { SeenChange } from './seen-change.ts';

/** The changes of a collection that a request selects. */
export interface ChangeSelection {
  /** Whether a change may be selected, by its name and labels alone. */
  mayHave(change: JournalChange): boolean;
  /** The type of a change, with respect to the selected set; undefined if neither side is selected. */
  typeOf(seen: SeenChange): HistoryType | undefined;
}

/** Fields that never change. A selector on them alone selects objects, and no set that objects enter and leave. */
const FIXED: readonly string[] = ['metadata.name', 'metadata.namespace'];

/** @param fields the field selector; @param show as `matches` of the selection expects states */
export function changeSelection(
  { selector, namespace, name, matches }: Selection,
  { show, fields }: { readonly show: Show; readonly fields: string },
): ChangeSelection {
  const isSet =
    !selector.isEmpty || parseFieldSelector(fields).requirements.some(({ field }) => !FIXED.includes(field));
  const has = (state: ObjectState | undefined) =>
    state !== undefined && selector.matches(state.labels) && (matches === undefined || matches(show(state)));
  return {
    mayHave: (change) =>
      (namespace === undefined || change.name.namespace === namespace) &&
      (name === undefined || change.name.name === name) &&
      (change.relabels || selector.matches(change.labels)),
    typeOf: ({ before, after }) => {
      const [was, is] = [has(before), has(after)];
      if (!was && !is) return undefined;
      if (isSet) return was && is ? 'Changed' : is ? 'Entered' : 'Left';
      return was && is ? 'Updated' : is ? 'Created' : 'Deleted';
    },
  };
}
