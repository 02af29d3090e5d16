import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { goText } from '../../kubernetes/field-errors/index.ts';
import { parsePatch } from '../../kubernetes/patch/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldValidation } from '../http/index.ts';
import { type DecodedObject, decodeSent, spelled, strictError, writtenFields } from '../objects/index.ts';
import { type ApiError, invalid } from '../status/index.ts';

export interface Patched {
  readonly type: ResourceType;
  readonly namespace: string;
  /** The object after the patch. */
  readonly patched: JsonValue;
  readonly contentType: string;
  readonly patch: Uint8Array;
  readonly validation: FieldValidation;
}

/**
 * The patched object, decoded as its type. A fault that would cause a 400 in a body causes a 422 about the patch here.
 * @throws ApiError
 */
export async function decodePatched(
  options: Patched,
): Promise<DecodedObject & { warnings: readonly string[] }> {
  const { validation } = options;
  const decoded = await decodeObject(options);
  const faults = [...faultsOfPatch(options), ...decoded.faults];
  if (validation === 'Strict' && faults.length > 0) throw await patchInvalid(options, strictError(faults));
  return { ...decoded, warnings: validation === 'Warn' ? faults : [] };
}

class Refused extends Error {}

async function decodeObject(options: Patched): Promise<DecodedObject> {
  const { type, namespace, patched } = options;
  const refusal = (why: string, converting: string) => new Refused(isStrategic(options) ? converting : why);
  try {
    return await decodeSent({ type, namespace, value: patched, refusal });
  } catch (error) {
    throw error instanceof Refused ? await patchInvalid(options, error.message) : error;
  }
}

const MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** The duplicate fields of a patch, and the members of a JSON patch that no operation has. */
function faultsOfPatch({ contentType, patch }: Patched): string[] {
  const value = parsePatch(patch);
  const duplicates = writtenFields(decode(patch), value)?.duplicates ?? [];
  if (!contentType.includes('json-patch')) return duplicates.map((path) => `duplicate field "${path}"`);
  const members = (Array.isArray(value) ? value : []).flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((name) => !MEMBERS.has(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`),
  );
  return [...members, ...duplicates.map((path) => `json patch duplicate field "${path}"`)];
}

async function patchInvalid(options: Patched, detail: string): Promise<ApiError> {
  const { type, patch, patched } = options;
  const sent = parsePatch(patch);
  const value = isStrategic(options) ? goText(sent) : JSON.stringify(await merged(type, patched, sent));
  return invalid({ group: '', kind: '' }, '', [{ type: 'Invalid', field: 'patch', value, detail }]);
}

function isStrategic({ contentType }: Patched): boolean {
  return contentType.includes('strategic');
}

/** The patched object in Go's field order. An object without a Go type of its own is sorted by name throughout. */
async function merged(type: ResourceType, patched: JsonValue, patch: JsonValue): Promise<JsonValue> {
  if (type.custom !== undefined || !isJsonObject(patched)) return byNames(patched);
  return byTouchedNames(await spelled(type, patched), touchedBy(patch));
}

/** The changed objects in the form of a merge patch: the patch itself, or the paths of a JSON patch's operations. */
function touchedBy(patch: JsonValue): JsonValue {
  if (!Array.isArray(patch)) return patch;
  const pointers = patch.filter(isJsonObject).map(({ path }) =>
    String(path ?? '')
      .split('/')
      .slice(1, -1),
  );
  return pointers.reduce<JsonObject>((touched, names) => withPath(touched, names), {});
}

function withPath(level: JsonObject, [name, ...rest]: readonly string[]): JsonObject {
  if (name === undefined) return level;
  return { ...level, [name]: withPath(objectAt(level[name] ?? {}), rest) };
}

/** The value in Go's field order: objects that the patch touched are sorted by name, others stay as they are. */
function byTouchedNames(value: JsonValue, patch: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(patch)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, byTouchedNames(value[name] ?? null, patch[name])]));
}

function byNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(byNames);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, byNames(value[name] ?? null)]));
}

function decode(text: Uint8Array): string {
  return new TextDecoder().decode(text);
}
