import { isJsonObject, type JsonObject } from '../../json/index.ts';
import { decodeMessage, loadFields, UnmarshalError } from '../../kubernetes/fields/index.ts';
import { apiVersionOf, type CustomKind, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type ApiError, badRequest, invalid } from '../status/index.ts';
import { customSchema } from './custom-schema.ts';
import { inNamespace, refuseOtherType, undecodable } from './decode-object.ts';
import type { DecodedObject, Sent } from './decoded-object.ts';
import { writtenFields } from './json-text.ts';
import { refuseDeep, typeName } from './json-values.ts';

/**
 * Decodes an object of a custom kind by its schema. Unknown fields are dropped and reported as faults, and defaults are
 * filled in. Values of a wrong type stay: validation refuses them together with all other errors.
 * @throws ApiError 400 the value is not an object, has no type or another one, or belongs to another namespace
 */
export async function decodeCustom(sent: Sent, custom: CustomKind): Promise<DecodedObject> {
  const { type, namespace, value, text } = sent;
  refuseDeep(value);
  if (!isJsonObject(value)) throw undecodable(type, `cannot unmarshal ${typeName(value)} into an object`);
  refuseUntyped(value);
  const { kind: given, ...rest } = value;
  refuseOtherType(rest, type);
  const { metadata, unknown: unknownMetadata } = await readMetadata(type, value.metadata ?? {});
  if (given !== type.kind) throw otherKind(type, String(given), metadata);
  const schema = await customSchema(custom);
  const { value: shaped, unknown } = schema.shape(value);
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...content } = shaped;
  const duplicates = text === undefined ? [] : (writtenFields(text, value)?.duplicates ?? []);
  return {
    body: {
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: inNamespace(metadata, namespace),
      ...content,
    },
    faults: [
      ...duplicates.map((path) => `duplicate field "${path}"`),
      ...[...unknownMetadata, ...unknown].map((path) => `unknown field "${path}"`),
    ],
    yamlFaults: sent.duplicates ?? [],
  };
}

/** @throws ApiError 400 the kind or the apiVersion is missing */
function refuseUntyped(value: JsonObject): void {
  const { apiVersion = '', kind = '' } = value;
  if (kind === '') throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  if (apiVersion === '') throw badRequest(`Object 'apiVersion' is missing in '${JSON.stringify(value)}'`);
}

function otherKind({ group, kind }: ResourceType, given: string, { name = '' }: JsonObject): ApiError {
  const error = { type: 'Invalid', field: 'kind', value: given, detail: `must be ${kind}` } as const;
  return invalid({ group, kind: given }, String(name), [error]);
}

async function readMetadata(type: ResourceType, metadata: JsonObject[string]) {
  if (!isJsonObject(metadata)) {
    throw undecodable(
      type,
      `cannot unmarshal ${typeName(metadata)} into Go struct field .metadata of type v1.ObjectMeta`,
    );
  }
  try {
    const message = (await loadFields()).message('meta.v1.ObjectMeta');
    const { value, unknown } = decodeMessage(message, metadata);
    const { creationTimestamp: _given, ...rest } = value;
    return { metadata: rest, unknown: unknown.map((path) => `metadata.${path}`) };
  } catch (error) {
    if (error instanceof UnmarshalError) {
      const { kind, version } = type;
      throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    }
    throw error;
  }
}
