import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { contentOf, PATCH_DIRECTIVE } from './directives.ts';
import { arrange, type Identity, placesOf } from './element-order.ts';
import { PatchFailedError, PatchSyntaxError } from './errors.ts';
import type { ListRule, MergeRules } from './merge-keys.ts';

export interface ListMerge {
  readonly live: readonly JsonValue[];
  readonly patch: readonly JsonValue[];
  readonly rule: ListRule;
  /** Merges the patch of one element into the live element. */
  readonly mergeElement: (live: JsonObject, patch: JsonObject, rules: MergeRules) => JsonObject;
}

export interface MergedList {
  readonly merged: JsonValue[];
  /** The elements in their live order, which an element order must respect. */
  readonly places: readonly JsonValue[];
}

/** Merges the patch's elements into a live list with a merge key, or into a set of primitives. */
export function mergeList(merge: ListMerge): MergedList {
  const { mergeKey } = merge.rule;
  return mergeKey === undefined ? mergeSet(merge) : mergeByKey(merge, mergeKey);
}

/** Returns the identity of list elements: the value of the merge key, or the primitive itself. */
export function elementIdentity(mergeKey: string | undefined): Identity {
  if (mergeKey === undefined) return primitive;
  return (item) => {
    if (!isJsonObject(item)) throw new PatchFailedError(`a list merged by ${mergeKey} must hold objects`);
    const value = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
    if (value !== undefined) return value;
    throw new PatchFailedError(`${quote(item)} does not contain declared merge key: ${mergeKey}`);
  };
}

function primitive(item: JsonValue): JsonValue {
  if (typeof item !== 'object') return item;
  throw new PatchFailedError(`${quote(item)} is in a list that must hold primitives`);
}

function mergeSet({ live, patch }: ListMerge): MergedList {
  const union = [...new Set([...live, ...patch])];
  if (new Set(union.map((item) => typeof primitive(item))).size > 1) {
    throw new PatchFailedError('list element types are not identical');
  }
  return { merged: arrange({ list: union, order: patch, live, identity: primitive }), places: live };
}

function mergeByKey({ live, patch, rule, mergeElement }: ListMerge, mergeKey: string): MergedList {
  const identity = elementIdentity(mergeKey);
  const { elements, deleted, replace } = readElements(patch, identity);
  const remaining = replace ? [] : live.filter((item) => !deleted.has(identity(item)));
  const list = [...remaining];
  const places = placesOf(remaining, identity);
  for (const element of elements) {
    const place = places.get(identity(element));
    const found = place === undefined || replace ? undefined : list[place];
    if (place !== undefined && isJsonObject(found)) {
      list[place] = mergeElement(found, element, rule.element);
    } else {
      if (place === undefined) places.set(identity(element), list.length);
      list.push(contentOf(element));
    }
  }
  if (replace) return { merged: arrange({ list, order: [], live: elements, identity }), places: live };
  // An element that is deleted and set again takes a live place behind the other elements, as long as a place is left.
  return {
    merged: arrange({ list, order: elements, live: remaining, identity }),
    places: list.slice(0, live.length),
  };
}

interface PatchElements {
  readonly elements: JsonObject[];
  readonly deleted: ReadonlySet<JsonValue>;
  readonly replace: boolean;
}

/** Separates elements with content from elements with a `$patch` for the list. */
function readElements(patch: readonly JsonValue[], identity: Identity): PatchElements {
  const elements: JsonObject[] = [];
  const deleted = new Set<JsonValue>();
  let replace = false;
  for (const item of patch) {
    if (!isJsonObject(item)) throw new PatchFailedError(`${quote(item)} is in a list that must hold objects`);
    const directive = Object.hasOwn(item, PATCH_DIRECTIVE) ? item[PATCH_DIRECTIVE] : undefined;
    if (directive === undefined) {
      elements.push(item);
    } else if (directive === 'delete') {
      deleted.add(identity(item));
    } else if (directive === 'replace') {
      replace = true;
    } else {
      throw new PatchSyntaxError(`unknown patch type for a list element: ${quote(directive)}`);
    }
  }
  return { elements, deleted, replace };
}

function quote(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
