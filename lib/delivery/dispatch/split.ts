/** Splits items into those for which the predicate holds, and the others; each in their order. */
export function split<Item>(items: readonly Item[], holds: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}
