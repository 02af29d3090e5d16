import { applyPatch as applyOperations, type Operation } from 'rfc6902';
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals, LONGEST_PATH } from '../../json/index.ts';
import { JsonPatchFailedError } from './errors.ts';
import { escapeKeys, escapePointer, resolve, unescapeKeys } from './escaped-document.ts';
import { nestsTooDeep, undecodable } from './parse-patch.ts';

/** The limits of the Kubernetes API server: the number of operations, and the bytes that `copy` copies. */
const MAXIMUM_OPERATIONS = 10_000;
const MAXIMUM_COPIED = 3 * 1024 * 1024;
/**
 * The maximum number of list elements that all operations together may shift. An insertion shifts all elements behind
 * it.
 */
const MAXIMUM_SHIFTED = 20_000_000;

/**
 * The maximum length of a pointer in characters. A field path has at most 10,000 characters, and escaping doubles a
 * character.
 */
const LONGEST_POINTER = 2 * LONGEST_PATH;

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

interface PatchOperation {
  readonly op: (typeof OPERATIONS)[number];
  readonly path: string;
  readonly from: string | undefined;
  /** `null` if the operation has no value. */
  readonly value: JsonValue;
  /** Whether the value is null and given as such, so that an absent member is another value. */
  readonly isNull: boolean;
}

/**
 * Applies a JSON patch (RFC 6902): all operations or none. Does not change `target`. It is as lenient as Kubernetes'
 * library:
 *
 * - An absent value is `null`.
 * - `test` and `copy` read a missing member as `null`.
 * - `replace` can set a missing member.
 *
 * @param nullIsValue whether a null that is given differs from an absent value, as in the patches of policies
 */
export function applyJsonPatch(target: JsonObject, patch: JsonValue, nullIsValue = false): JsonObject {
  const operations = readOperations(patch, nullIsValue);
  let document = escapeKeys(target);
  let copied = 0;
  let shifted = 0;
  for (const [index, operation] of operations.entries()) {
    if (operation instanceof JsonPatchFailedError) throw operation;
    try {
      if (operation.op === 'copy') copied += sizeAt(document, operation.from);
      if (copied > MAXIMUM_COPIED) throw new Error(`the patch copies more than ${MAXIMUM_COPIED} bytes`);
      shifted += shiftedBy(document, operation);
      if (shifted > MAXIMUM_SHIFTED) {
        throw new Error(`the patch shifts more than ${MAXIMUM_SHIFTED} elements of lists`);
      }
      if (operation.op === 'replace' && operation.path === '') {
        document = escapeKeys(operation.value);
      } else {
        applyOne(document, operation);
      }
    } catch (error) {
      throw new JsonPatchFailedError(
        `operation ${index}: ${operation.op} ${operation.path}: ${reasonOf(error)}`,
        error instanceof FailedTestError,
      );
    }
  }
  if (nestsTooDeep(document)) throw new JsonPatchFailedError('the patched object nests too deep');
  const patched = unescapeKeys(document);
  if (!isJsonObject(patched)) throw new JsonPatchFailedError('the patched document is not an object');
  return patched;
}

/** Applies one operation to `document`, in place. @throws {Error} with the reason if it does not apply */
function applyOne(document: JsonValue, operation: PatchOperation): void {
  const { op, path, from, value } = operation;
  if (op === 'test') {
    testOne(document, operation);
    return;
  }
  const taken = op === 'copy' ? takenFrom(document, from ?? '') : value;
  const setsMember = op === 'replace' && isJsonObject(resolve(document, parentOf(path)));
  const adds = op === 'add' || op === 'copy' || op === 'move' || setsMember;
  const isAdded = setsMember || (op === 'copy' && taken === undefined);
  const applied = {
    op: isAdded ? 'add' : op,
    path: escapePointer(document, path, adds ? 'add' : 'present'),
    ...(from !== undefined && !isAdded && { from: escapePointer(document, from, 'present') }),
    value: op === 'copy' ? null : escapeKeys(value),
  };
  const [failure] = applyOperations(document, [applied as Operation]);
  if (failure) throw failure;
}

/** Returns what `copy` reads; undefined for a member that an object does not have. */
function takenFrom(document: JsonValue, from: string): JsonValue | undefined {
  const taken = resolve(document, from);
  const isMember = isJsonObject(resolve(document, parentOf(from)));
  if (taken === undefined && !isMember) throw new Error('no such path');
  return taken;
}

/** Returns the number of list elements behind the places where the operation inserts or removes an element. */
function shiftedBy(document: JsonValue, { op, path, from = '' }: PatchOperation): number {
  if (op === 'test' || op === 'replace') return 0;
  return (op === 'move' ? [from, path] : [path]).reduce((sum, pointer) => {
    const list = resolve(document, parentOf(pointer));
    const index = Number(pointer.slice(pointer.lastIndexOf('/') + 1));
    return Array.isArray(list) && index < list.length ? sum + list.length - index : sum;
  }, 0);
}

/** Tests a value. The library's `test` computes a whole difference, which is quadratic in the length of lists. */
function testOne(document: JsonValue, { path, value, isNull }: PatchOperation): void {
  const actual = resolve(document, path);
  const isMember = isJsonObject(resolve(document, parentOf(path)));
  if (actual === undefined && (value !== null || isNull || !isMember)) {
    throw new (isMember ? FailedTestError : Error)('no such path');
  }
  if (!jsonEquals(actual ?? null, escapeKeys(value))) throw new FailedTestError('test failed');
}

/** A `test` found another value, or no member. */
class FailedTestError extends Error {}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(pointer.lastIndexOf('/'), 0));
}

/** Returns the kind of failure. The library's messages contain escaped content, so they are not used. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'MissingError') return 'no such path';
  if (error.name === 'InvalidOperationError') return 'a member that this operation needs is missing';
  return error instanceof RangeError ? 'the document nests too deep' : error.message;
}

function sizeAt(document: JsonValue, pointer: string | undefined): number {
  const value = pointer === undefined ? undefined : resolve(document, pointer);
  return value === undefined ? 0 : JSON.stringify(value).length;
}

/** Operations that are wrong fail when their turn comes: a failed `test` before them ends the patch. */
function readOperations(patch: JsonValue, nullIsValue: boolean): (PatchOperation | JsonPatchFailedError)[] {
  if (!Array.isArray(patch)) throw undecodable(patch, 'value of type []handlers.jsonPatchOp');
  if (patch.length > MAXIMUM_OPERATIONS) {
    throw new JsonPatchFailedError(
      `the allowed maximum operations in a JSON patch is ${MAXIMUM_OPERATIONS}, got ${patch.length}`,
    );
  }
  return patch.map((item, index) => readOperation(item, index, nullIsValue));
}

function readOperation(
  item: JsonValue,
  index: number,
  nullIsValue: boolean,
): PatchOperation | JsonPatchFailedError {
  if (!isJsonObject(item)) throw undecodable(item, 'value of type handlers.jsonPatchOp');
  const [name, path, from] = ['op', 'path', 'from'].map((member) => stringIn(item, member));
  const op = OPERATIONS.find((known) => known === name);
  if (op === undefined) {
    return new JsonPatchFailedError(`operation ${index}: unexpected kind: ${name ?? 'unknown'}`);
  }
  if (path === undefined) return new JsonPatchFailedError(`operation ${index}: it has no path`);
  if (path.length > LONGEST_POINTER || (from ?? '').length > LONGEST_POINTER) {
    return new JsonPatchFailedError(
      `operation ${index}: ${op}: a path has at most ${LONGEST_POINTER} characters`,
    );
  }
  if ((op === 'copy' || op === 'move') && from === undefined) {
    return new JsonPatchFailedError(`operation ${index}: ${op} ${path}: it has no from`);
  }
  const value = Object.hasOwn(item, 'value') ? item.value : undefined;
  return { op, path, from, value: value ?? null, isNull: nullIsValue && value === null };
}

function stringIn(item: JsonObject, member: string): string | undefined {
  const value = Object.hasOwn(item, member) ? item[member] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw undecodable(value, `struct field jsonPatchOp.${member} of type string`);
}
