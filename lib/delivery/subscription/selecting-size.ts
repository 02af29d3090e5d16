import type { SubscriptionState } from './subscription-state.ts';

/** The texts of a state row by which dispatch finds what concerns a subscription. */
export type Selecting = Pick<SubscriptionState, 'selector' | 'fieldSelector' | 'scope' | 'namespaces'>;

/**
 * Heap bytes that a match index takes at most for one requirement or one value of a selector. Measured with the shape
 * that costs most, a list of short keys (`a,b,c`): 400 bytes a key.
 */
const HEAP_OF_ITEM = 400;
const COMMA = 44;

/** What the author's selectors take, in bytes, as a state row holds them. */
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

/** Each requirement and each value but the last has a comma behind it. */
function itemsOf(text: string): number {
  let items = 1;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === COMMA) items += 1;
  return items;
}
