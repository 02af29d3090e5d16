import type { SubscriptionState } from './subscription-state.ts';

/** The texts of a state row by which dispatch finds the changes for a subscription. */
export type Selecting = Pick<SubscriptionState, 'selector' | 'fieldSelector' | 'scope' | 'namespaces'>;

/**
 * The most heap, in bytes, that a match index takes for one requirement or one value of a selector. It was measured
 * with the most expensive shape, a list of short keys (`a,b,c`): 400 bytes a key.
 */
const HEAP_OF_ITEM = 400;
const COMMA = 44;

/** The size of the author's selectors, in bytes, as a state row holds them. */
export function selectingBytes({ selector, fieldSelector }: Omit<Selecting, 'scope' | 'namespaces'>): number {
  return Buffer.byteLength(selector) + Buffer.byteLength(fieldSelector);
}

/** An upper estimate, in bytes, of the heap that dispatch needs for one subscription: its texts and their index. */
export function selectingHeap({ selector, fieldSelector, scope, namespaces }: Selecting): number {
  return [selector, fieldSelector, scope, namespaces].reduce(
    (sum, text) => sum + text.length + HEAP_OF_ITEM * itemsOf(text),
    0,
  );
}

/** Counts the requirements and values. Each of them but the last has a comma after it. */
function itemsOf(text: string): number {
  let items = 1;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === COMMA) items += 1;
  return items;
}
