import { BudgetExceededError, Meter, type Value } from '../../../cel/index.ts';
import {
  ConversionError,
  jsonOf,
  nameErrors,
  ObjectValue,
  type PatchValue,
  patchesIn,
} from '../../../cel/patches/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';
import { mergeValues, type Shape, showShapeErrors, validateValue } from '../../apply/index.ts';
import {
  applyJsonPatch,
  JsonPatchFailedError,
  PatchFailedError,
  PatchSyntaxError,
} from '../../patch/index.ts';
import { PatchError } from './patch-error.ts';

/** The limits of kube-apiserver for the JSON patch of a client: a policy may not do more. */
const MOST_OPERATIONS = 10_000;
const MOST_BYTES = 3 * 1024 * 1024;

interface Patched {
  readonly object: JsonObject;
  readonly now: (() => number) | undefined;
}

/**
 * Merges an apply configuration into an object, as server-side apply does, but no field gets an owner. Follows
 * policy/mutating/patch/smd.go.
 *
 * @param value the value of the expression
 * @throws {PatchError}
 */
export function applyConfiguration(
  value: Value,
  { object, shape, now }: Patched & { readonly shape: Shape },
): JsonObject {
  if (!(value instanceof ObjectValue)) throw new PatchError('the expression has no value of type Object');
  const meter = meterOf(now);
  const { apiVersion = '', kind = '' } = object;
  const patch: JsonObject = { ...(converted(value, meter) as JsonObject), apiVersion, kind };
  refuseShape('patch object', shape, patch, false);
  const whole = [...atomicPaths(shape, patch, '')];
  if (whole.length > 0) {
    const detail = `may not mutate atomic arrays, maps or structs: ${whole.join(', ')}`;
    throw new PatchError(`error applying patch: invalid ApplyConfiguration: ${detail}`);
  }
  refuseShape('original object', shape, object, true);
  const merged = mergeValues(shape, object, patch);
  return isJsonObject(merged) ? merged : object;
}

/** @throws {PatchError} an object does not fit its kind */
function refuseShape(what: string, shape: Shape, value: JsonObject, duplicates: boolean): void {
  const errors = validateValue(shape, value, { duplicates });
  if (errors.length === 0) return;
  const detail = `failed to convert ${what} to typed object: ${showShapeErrors(errors)}`;
  throw new PatchError(`error applying patch: ${detail}`);
}

/** Yields the paths of a patch whose values have one owner as a whole, so that they cannot be merged. */
function* atomicPaths({ map, list }: Shape, value: JsonValue, path: string): Generator<string, void> {
  if (isJsonObject(value) && map !== undefined) {
    if (map.atomic) yield path;
    for (const [name, each] of Object.entries(value)) {
      const field = map.field(name);
      if (field !== undefined) yield* atomicPaths(field, each, `${path}.${name}`);
    }
  }
  if (Array.isArray(value) && list !== undefined) {
    if (list.atomic) yield path;
    for (const [at, each] of value.entries()) yield* atomicPaths(list.element, each, `${path}[${at}]`);
  }
}

/**
 * Applies a JSON patch to an object. If a `test` of the patch fails, the object stays as it is. Follows
 * policy/mutating/patch/json_patch.go; the texts about operations are those of Winnow's JSON patches.
 *
 * @param value the value of the expression
 * @throws {PatchError}
 */
export function patchJson(value: Value, { object, now }: Patched): JsonObject {
  const patches = patchesIn(value);
  if (patches === undefined) throw new PatchError('the expression has no value of type list(JSONPatch)');
  if (patches.length > MOST_OPERATIONS) {
    throw new PatchError(`JSON Patch: it has ${patches.length} operations, and may have ${MOST_OPERATIONS}`);
  }
  const meter = meterOf(now);
  let bytes = 0;
  const operations = patches.map((patch) => {
    const operation = operationOf(patch, meter);
    bytes += JSON.stringify(operation).length;
    if (bytes > MOST_BYTES) throw new PatchError(`JSON Patch: it has more than ${MOST_BYTES} bytes`);
    return operation;
  });
  try {
    return applyJsonPatch(object, operations, true);
  } catch (error) {
    if (error instanceof JsonPatchFailedError && error.isTest) return object;
    if (!(error instanceof PatchFailedError || error instanceof PatchSyntaxError)) throw error;
    throw new PatchError(`JSON Patch: ${'detail' in error ? error.detail : error.message}`);
  }
}

function operationOf(patch: PatchValue, meter: Meter): JsonObject {
  const { value } = patch;
  const from = patch.text('from');
  return {
    op: patch.text('op'),
    path: patch.text('path'),
    ...(from !== '' && { from }),
    ...(value !== undefined && { value: convertedValue(value, meter) }),
  };
}

function convertedValue(value: Value, meter: Meter): JsonValue {
  try {
    return converted(value, meter);
  } catch (error) {
    if (!(error instanceof PatchError) || error instanceof NameError) throw error;
    const detail = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
    throw new PatchError(`${detail}: ${error.message}`);
  }
}

/** The limits of one mutation: its expression was evaluated before. */
function meterOf(now: Patched['now']): Meter {
  return new Meter({ cost: Number.POSITIVE_INFINITY, now });
}

/** An object type has another name than the fields around it. */
class NameError extends PatchError {}

/** @throws {PatchError} */
function converted(value: Value, meter: Meter): JsonValue {
  try {
    const errors = value instanceof ObjectValue ? nameErrors(value, value.typeName, meter) : [];
    if (errors.length > 0) throw new NameError(`type mismatch: ${errors.join('\n')}`);
    return jsonOf(value, meter);
  } catch (error) {
    const isWrong = error instanceof ConversionError || error instanceof BudgetExceededError;
    throw isWrong ? new PatchError(error.message) : error;
  }
}
