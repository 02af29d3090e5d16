import type { JsonObject } from '../../json/index.ts';
import { type FieldError, formatFieldError } from '../../selectors/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import type { Errors } from './errors.ts';
import type { KindRules } from './kind-rules.ts';
import { kindRules } from './kinds.ts';
import { objectMeta, objectMetaUpdate } from './metadata.ts';

export interface Checked {
  readonly type: ResourceType;
  /** The decoded object with its defaults. */
  readonly body: JsonObject;
  /** The object that it replaces; absent for a new object. */
  readonly old?: JsonObject | undefined;
  /** The subresource of the write. For a status, only the status is checked. */
  readonly subresource?: string;
}

/**
 * Returns all errors of an object, in the order and words of kube-apiserver, including duplicates. Errors that the
 * replaced object has too are ignored, because it may have been stored under fewer rules.
 */
export async function objectErrors(given: Checked): Promise<FieldError[]> {
  const checked = asStored(given);
  const { type, old } = checked;
  const rules = await kindRules(type);
  if (old === undefined) return [...created(checked, rules)];
  const errors = [...changed({ ...checked, old }, rules)];
  if (errors.length === 0) return errors;
  const before = new Set([...created({ type, body: old }, rules)].map(formatFieldError));
  return errors.filter((error) => !before.has(formatFieldError(error)));
}

/** Converts the objects to the stored version, because errors name the fields of that version. */
function asStored(given: Checked): Checked {
  const { storedAs } = given.type;
  if (storedAs === undefined) return given;
  const { body, old } = given;
  return { ...given, body: storedAs.encode(body), old: old && storedAs.encode(old) };
}

type Rules = KindRules | undefined;

function* created({ type, body }: Pick<Checked, 'type' | 'body'>, rules: Rules): Errors {
  const own = [...((rules?.created ?? rules?.content)?.(body) ?? [])];
  if (rules?.metadataLast !== true || own.length === 0) yield* objectMeta(type, body);
  yield* own;
}

function* changed(
  { type, body, old, subresource = '' }: Checked & { readonly old: JsonObject },
  rules: Rules,
): Errors {
  yield* commonFields(type, body, old);
  yield* objectMetaUpdate(type, body, old);
  const isStatus = subresource === 'status';
  if (isStatus) yield* rules?.status?.(body, old) ?? [];
  if (rules === undefined || isStatus) return;
  yield* rules.changedFirst?.(body, old) ?? [];
  if (rules.asNew === true) yield* objectMeta(type, body);
  yield* rules.content(body, old);
  const change = rules.through?.[subresource] ?? rules.changed;
  yield* change?.(body, old) ?? [];
}

/** Checks the fields that apiserver checks for any change. The kind's own rules repeat many of these checks. */
function* commonFields({ scope }: ResourceType, body: JsonObject, old: JsonObject): Errors {
  const any = { scope, nameRule: 'path', builtin: false } as const;
  yield* objectMeta(any, body);
  yield* objectMetaUpdate(any, body, old);
}
