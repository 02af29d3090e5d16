import { isJsonObject, type JsonValue } from '../../json/index.ts';
import { PATCH_DIRECTIVE } from './directives.ts';
import { PatchSyntaxError } from './errors.ts';

/** Returns the identity of a list element. Two elements with the same identity are the same element. */
export type Identity = (item: JsonValue) => JsonValue;

export interface Arrangement {
  readonly list: readonly JsonValue[];
  /** The required order of the elements that it names. */
  readonly order: readonly JsonValue[];
  /** The live order. */
  readonly live: readonly JsonValue[];
  readonly identity: Identity;
}

/**
 * Merges two sequences: the elements in `order`, in that order, and the others, in their live order. An unnamed element
 * precedes a named element only if it does so in the live order.
 */
export function arrange({ list, order, live, identity }: Arrangement): JsonValue[] {
  const wanted = placesOf(order, identity);
  const places = placesOf(live, identity);
  const isNamed = (item: JsonValue) => wanted.has(identity(item));
  const named = sortedBy(list.filter(isNamed), (item) => wanted.get(identity(item)));
  const unnamed = sortedBy(
    list.filter((item) => !isNamed(item)),
    (item) => places.get(identity(item)),
  );
  const woven: JsonValue[] = [];
  let next = 0;
  for (const item of named) {
    const place = places.get(identity(item)) ?? -1;
    while (isBefore(unnamed[next], place)) {
      woven.push(...unnamed.slice(next, next + 1));
      next++;
    }
    woven.push(item);
  }
  return [...woven, ...unnamed.slice(next)];

  function isBefore(item: JsonValue | undefined, place: number): boolean {
    return item !== undefined && (places.get(identity(item)) ?? place) < place;
  }
}

export interface OrderCheck {
  readonly field: string;
  readonly patch: readonly JsonValue[];
  readonly order: readonly JsonValue[];
  readonly identity: Identity;
}

/**
 * Checks that an element order names every element that the patch sets, in the order of the patch. @throws
 * {PatchSyntaxError}
 */
export function requireOrderKept({ field, patch, order, identity }: OrderCheck): void {
  if (order.length === 0) return;
  let next = 0;
  for (const item of patch) {
    const directive =
      isJsonObject(item) && Object.hasOwn(item, PATCH_DIRECTIVE) ? item[PATCH_DIRECTIVE] : null;
    if (directive === 'delete') continue;
    const wanted = directive === null ? identity(item) : undefined;
    while (wanted !== undefined && next < order.length && identity(order[next] ?? null) !== wanted) next++;
    if (next === order.length) {
      throw new PatchSyntaxError(`the order of ${field} in the patch does not match its $setElementOrder`);
    }
    if (wanted !== undefined) next++;
  }
}

/** Returns the first index of each element. */
export function placesOf(items: readonly JsonValue[], identity: Identity): Map<JsonValue, number> {
  const places = new Map<JsonValue, number>();
  for (const [place, item] of items.entries()) {
    const key = identity(item);
    if (!places.has(key)) places.set(key, place);
  }
  return places;
}

/** Sorts by place; stable. Elements without a place come first, such as those that a patch adds. */
function sortedBy(
  items: readonly JsonValue[],
  placeOf: (item: JsonValue) => number | undefined,
): JsonValue[] {
  return items
    .map((item) => ({ item, place: placeOf(item) ?? -1 }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
