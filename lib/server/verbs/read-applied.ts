import { isJsonObject, type JsonObject, refuseManyValues, TooLargeError } from '../../json/index.ts';
import { EncodingError, parseJson, readYaml } from '../../kubernetes/encodings/index.ts';
import type { ApiRequest } from '../http/index.ts';
import { badRequest } from '../status/index.ts';

export interface Applied {
  readonly body: JsonObject;
  /** Warnings about duplicate keys: `line 7: key "a" already set in map`. */
  readonly warnings: readonly string[];
}

/**
 * The body of an apply: YAML, which includes JSON.
 * @throws {ApiError} 400, also for duplicate keys if `fieldValidation` is Strict
 * @throws {TooLargeError} it has more values than an object may have
 */
export async function readApplied(request: ApiRequest): Promise<Applied> {
  const { value, duplicates } = await readJsonOrYaml(request.body ?? new Uint8Array());
  refuseManyValues('the body of the request', value);
  const warnings = judgeDuplicates(request, duplicates);
  if (isJsonObject(value)) return { body: value, warnings };
  if (value === null) return { body: {}, warnings };
  const what = Array.isArray(value) ? 'array' : typeof value;
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${what} into Go value of type map[string]interface {}`,
  );
}

async function readJsonOrYaml(body: Uint8Array) {
  try {
    return { value: parseJson(body).value, duplicates: [] };
  } catch (error) {
    // A body with too many values as JSON may be YAML, whose strings need no quotes. The YAML reader counts values too.
    if (error instanceof EncodingError || error instanceof TooLargeError) return readYamlBody(body);
    throw error;
  }
}

async function readYamlBody(body: Uint8Array) {
  try {
    return await readYaml(body);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

function judgeDuplicates({ query }: ApiRequest, duplicates: readonly string[]): readonly string[] {
  const validation = query.get('fieldValidation') ?? 'Warn';
  if (validation !== 'Strict' || duplicates.length === 0) return validation === 'Ignore' ? [] : duplicates;
  throw badRequest(
    `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`,
  );
}
