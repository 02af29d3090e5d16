import { isJsonObject, type JsonObject, type JsonValue } from '../../store/index.ts';
import type { FieldValidation } from '../http/index.ts';
import { type DecodedObject, decodeSent, strictError } from '../objects/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { type ApiError, invalid } from '../status/index.ts';

export interface Patched {
  readonly type: ResourceType;
  readonly namespace: string;
  /** What the patch has made of the object. */
  readonly patched: JsonValue;
  readonly contentType: string;
  readonly patch: Uint8Array;
  readonly validation: FieldValidation;
}

/**
 * The patched object, read as its type; what a body would be refused for with 400 is a 422 here, about the patch.
 * @throws ApiError
 */
export async function decodePatched(
  options: Patched,
): Promise<DecodedObject & { warnings: readonly string[] }> {
  const { type, namespace, patched, validation } = options;
  const refusal = (why: string) => patchInvalid(options, why);
  const decoded = await decodeSent({ type, namespace, value: patched, refusal });
  if (validation === 'Strict' && decoded.faults.length > 0) throw refusal(strictError(decoded.faults));
  return { ...decoded, warnings: validation === 'Warn' ? decoded.faults : [] };
}

function patchInvalid({ contentType, patch, patched }: Patched, detail: string): ApiError {
  const value = contentType.includes('strategic')
    ? goText(JSON.parse(decode(patch)))
    : JSON.stringify(patched);
  return invalid({ group: '', kind: '' }, '', [{ type: 'Invalid', field: 'patch', value, detail }]);
}

function decode(text: Uint8Array): string {
  return new TextDecoder().decode(text);
}

/** A value as Go prints it: `map[a:1 b:[x y]]`. */
function goText(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  return isJsonObject(value) ? goMap(value) : String(value);
}

function goMap(value: JsonObject): string {
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${entries.map(([key, member]) => `${key}:${goText(member ?? null)}`).join(' ')}]`;
}
