import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { PatchSyntaxError } from './errors.ts';

/** `$patch: replace|delete` in an object or in an element of a merged list. */
export const PATCH_DIRECTIVE = '$patch';

const RETAIN_KEYS = '$retainKeys';
const SET_ELEMENT_ORDER = '$setElementOrder';
const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';

/** One object of a strategic merge patch, with its directives separated from its content. */
export interface DirectedPatch {
  readonly values: ReadonlyMap<string, JsonValue>;
  /** The required element order of each field's list. Elements that it does not name keep their place. */
  readonly orders: ReadonlyMap<string, JsonValue[]>;
  /** The primitives to remove from each field's list. */
  readonly deletions: ReadonlyMap<string, JsonValue[]>;
  /** The only fields that may remain; undefined if all may. */
  readonly retained: ReadonlySet<JsonValue> | undefined;
}

/** Parses the directives of a patch. @throws {PatchSyntaxError} if a directive has the wrong form */
export function readDirectives(patch: JsonObject): DirectedPatch {
  const values = new Map<string, JsonValue>();
  const orders = new Map<string, JsonValue[]>();
  const deletions = new Map<string, JsonValue[]>();
  let retained: Set<JsonValue> | undefined;
  for (const [key, value] of Object.entries(patch)) {
    if (key === RETAIN_KEYS) {
      retained = new Set(listIn(key, value));
    } else if (key.startsWith(SET_ELEMENT_ORDER)) {
      orders.set(fieldIn(key, SET_ELEMENT_ORDER), listIn(key, value));
    } else if (key.startsWith(DELETE_FROM_PRIMITIVE_LIST)) {
      deletions.set(fieldIn(key, DELETE_FROM_PRIMITIVE_LIST), primitivesIn(key, value));
    } else {
      values.set(key, value);
    }
  }
  if (retained !== undefined) requireRetained(values, retained);
  return { values, orders, deletions, retained };
}

/**
 * Returns the content of a patch's value that has nothing to merge with. Nulls, directives and everything that a
 * `$patch` marks are removed. Undefined if nothing is left.
 */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  return contentIn(value, () => false);
}

/**
 * Returns the content of a patch's value that replaces another value: without nulls and directives. Objects marked by
 * `$patch: delete` are removed too; Kubernetes keeps them as content.
 */
export function replacement(value: JsonValue): JsonValue | undefined {
  return contentIn(value, isContent);
}

/** Like {@link replacement} of an object, but ignores a `$patch` of the object itself. */
export function contentOf(patch: JsonObject): JsonObject {
  return membersOf(patch, isContent);
}

/** Whether an object with a `$patch` still counts as content. */
type IsContent = (marked: JsonObject) => boolean;

function isContent(marked: JsonObject): boolean {
  return marked[PATCH_DIRECTIVE] !== 'delete' && Object.keys(marked).length > 1;
}

function contentIn(value: JsonValue, isKept: IsContent): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => contentIn(item, isKept)).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  return Object.hasOwn(value, PATCH_DIRECTIVE) && !isKept(value) ? undefined : membersOf(value, isKept);
}

function membersOf(object: JsonObject, isKept: IsContent): JsonObject {
  const content = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(object)) {
    const kept = value === null || isDirective(key) ? undefined : contentIn(value, isKept);
    if (kept !== undefined) content.set(key, kept);
  }
  return Object.fromEntries(content);
}

function isDirective(key: string): boolean {
  return (
    key === PATCH_DIRECTIVE ||
    key === RETAIN_KEYS ||
    key.startsWith(`${SET_ELEMENT_ORDER}/`) ||
    key.startsWith(`${DELETE_FROM_PRIMITIVE_LIST}/`)
  );
}

function fieldIn(key: string, directive: string): string {
  if (!key.startsWith(`${directive}/`)) throw new PatchSyntaxError(`${key} does not name a list after a /`);
  return key.slice(directive.length + 1);
}

function listIn(key: string, value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw new PatchSyntaxError(`${key} must be a list`);
  return value;
}

function primitivesIn(key: string, value: JsonValue): JsonValue[] {
  const list = listIn(key, value);
  if (list.some((item) => typeof item === 'object')) {
    throw new PatchSyntaxError(`${key} must list primitives`);
  }
  return list;
}

function requireRetained(values: ReadonlyMap<string, JsonValue>, retained: ReadonlySet<JsonValue>): void {
  for (const [key, value] of values) {
    if (value !== null && !retained.has(key)) {
      throw new PatchSyntaxError(`the patch sets ${key}, which its ${RETAIN_KEYS} does not name`);
    }
  }
}
