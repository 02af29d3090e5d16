import { type FieldError, fromLabelSelector, fromLabels, SelectorError } from '../../selectors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, metadataOf } from '../../store/index.ts';
import type { BodySelector, ResourceType } from '../resource-types/index.ts';
import { invalid } from '../status/index.ts';
import { rulesOf } from './type-rules.ts';
import { validateObjectMeta } from './validate-object-meta.ts';

/** What a change replaces, and through which subresource. */
export interface Replaced {
  readonly old?: JsonObject;
  readonly subresource?: string;
}

/**
 * Refuses an object that may not be stored.
 * @throws ApiError 422 with everything that is wrong, not only the first.
 */
export async function refuseInvalid(
  type: ResourceType,
  body: JsonObject,
  { old, subresource = '' }: Replaced = {},
): Promise<void> {
  const errors = [
    ...validateObjectMeta(type, body, old),
    ...type.selectors.flatMap((selector) => selectorErrors(body, selector)),
    ...((await rulesOf(type).validate?.(body, old, subresource)) ?? []),
  ];
  if (errors.length > 0) throw invalid(type, String(metadataOf(body).name ?? ''), errors);
}

function selectorErrors(body: JsonObject, { path, kind }: BodySelector): readonly FieldError[] {
  const value = at(body, path);
  const parse = kind === 'map' ? fromLabels : fromLabelSelector;
  try {
    parse(value, path.join('.'));
    return [];
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return error.errors.length > 0
      ? error.errors
      : [{ type: 'Invalid', field: path.join('.'), value, detail: error.message }];
  }
}

function at(body: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    body,
  );
}
