import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Message } from '../fields/index.ts';
import {
  contentOf,
  type DirectedPatch,
  PATCH_DIRECTIVE,
  readDirectives,
  replacement,
  withoutDirectives,
} from './directives.ts';
import { arrange, requireOrderKept } from './element-order.ts';
import { PatchFailedError, PatchSyntaxError } from './errors.ts';
import { type ListRule, type MergeRules, mergeRules } from './merge-keys.ts';
import { elementIdentity, mergeList } from './merge-list.ts';

/**
 * Applies a strategic merge patch to a built-in object. Does not change its inputs.
 *
 * - Objects merge, and null removes a field.
 * - Lists with a merge key merge by it. Other lists are replaced.
 * - The directives are `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.
 *
 * Equals k8s.io/apimachinery/pkg/util/strategicpatch, with one difference: the result never contains a null, a
 * directive, or anything that a directive deletes.
 *
 * @see https://git.k8s.io/community/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 */
export function strategicMerge(target: JsonObject, patch: JsonObject, type: Message | undefined): JsonObject {
  return mergeObject(target, patch, mergeRules(type));
}

function mergeObject(target: JsonObject, patch: JsonObject, rules: MergeRules): JsonObject {
  if (Object.hasOwn(patch, PATCH_DIRECTIVE)) return replaceOrEmpty(patch);
  const directed = readDirectives(patch);
  const result = new Map(Object.entries(target).filter(([field]) => directed.retained?.has(field) !== false));
  for (const field of new Set([...directed.orders.keys(), ...directed.values.keys()])) {
    const merged = mergeField({ field, current: result.get(field) ?? undefined, directed, rules });
    if (merged === undefined) {
      result.delete(field);
    } else {
      result.set(field, merged);
    }
  }
  // Deletions come last, so that an element that is both listed and deleted is removed, whatever the order of the
  // patch.
  for (const [field, doomed] of directed.deletions) {
    const list = result.get(field);
    if (Array.isArray(list)) result.set(field, withoutPrimitives(list, doomed));
  }
  return Object.fromEntries(result);
}

function replaceOrEmpty(patch: JsonObject): JsonObject {
  const directive = patch[PATCH_DIRECTIVE];
  if (directive === 'replace') return contentOf(patch);
  if (directive === 'delete') return {};
  throw new PatchSyntaxError(`unknown patch type: ${JSON.stringify(directive)}`);
}

interface FieldMerge {
  readonly field: string;
  readonly current: JsonValue | undefined;
  readonly directed: DirectedPatch;
  readonly rules: MergeRules;
}

/** Returns the field's value after the patch; undefined if the field is removed. */
function mergeField({ field, current, directed, rules }: FieldMerge): JsonValue | undefined {
  const patched = directed.values.get(field);
  const order = directed.orders.get(field);
  if (order !== undefined) return mergeOrdered({ field, current, patched, order, rule: rules.list(field) });
  if (patched === null || patched === undefined) return undefined;
  if (isJsonObject(current) && isJsonObject(patched)) {
    const inner = rules.object(field);
    return inner === undefined ? contentOf(patched) : mergeObject(current, patched, inner);
  }
  if (!Array.isArray(current) || !Array.isArray(patched)) return withoutDirectives(patched);
  const rule = rules.list(field);
  if (rule === undefined) return replacement(patched);
  return mergeList({ live: current, patch: patched, rule, mergeElement: mergeObject }).merged;
}

interface OrderedMerge {
  readonly field: string;
  readonly current: JsonValue | undefined;
  readonly patched: JsonValue | undefined;
  readonly order: readonly JsonValue[];
  readonly rule: ListRule | undefined;
}

/** Merges a list as without an order, then sorts it by `$setElementOrder`. */
function mergeOrdered({ field, current, patched, order, rule }: OrderedMerge): JsonValue[] | undefined {
  const live = listOrAbsent(field, current);
  const patch = listOrAbsent(field, patched);
  const identity = elementIdentity(rule?.mergeKey);
  if (patch !== undefined) requireOrderKept({ field, patch, order, identity });
  if (live === undefined) {
    const added = patch?.map(withoutDirectives).filter((item) => item !== undefined);
    return added && arrange({ list: added, order, live: [], identity });
  }
  if (patch === undefined) return arrange({ list: live, order, live, identity });
  if (rule === undefined) return arrange({ list: listOf(withoutDirectives(patch)), order, live, identity });
  const { merged, places } = mergeList({ live, patch, rule, mergeElement: mergeObject });
  return arrange({ list: merged, order, live: places, identity });
}

function listOrAbsent(field: string, value: JsonValue | undefined): JsonValue[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw new PatchFailedError(`${field} has an element order but is not a list`);
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function withoutPrimitives(list: readonly JsonValue[], doomed: readonly JsonValue[]): JsonValue[] {
  const gone = new Set(doomed);
  return list.filter((item) => !gone.has(item));
}
