import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';
import { loadFields, UnmarshalError } from '../../kubernetes/fields/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { badRequest } from '../status/index.ts';
import { decodeObject, inNamespace, undecodable } from './decode-object.ts';
import type { DecodedObject, Sent } from './decoded-object.ts';
import { scanFields, type WrittenFields, writtenFields } from './json-text.ts';
import { refuseDeep, typeName } from './json-values.ts';
import type { TypedKind } from './typed-kind.ts';
import { typedKindOf } from './typed-object.ts';

/**
 * An object of the type, decoded field by field, with its defaults. A custom kind is decoded by its schema. Other
 * types, whose fields Kubernetes does not know, are decoded by {@link decodeObject}.
 * @throws ApiError 400 the value does not decode, is of another type, or belongs to another namespace
 */
export async function decodeSent(sent: Sent): Promise<DecodedObject> {
  const { type, namespace, value, text } = sent;
  if (type.custom !== undefined) return (await import('./decode-custom.ts')).decodeCustom(sent, type.custom);
  const kind = await typedKindOf(type);
  if (kind === undefined) return { body: decodeObject(value, type, namespace), faults: [], yamlFaults: [] };
  refuseDeep(value);
  if (!isJsonObject(value)) throw undecodable(type, `cannot unmarshal ${typeName(value)} into an object`);
  await refuseOtherKind(value, { ...sent, kind });
  const written = text === undefined ? undefined : writtenFields(text, value);
  const { body, unknown } = decodeTyped(value, { ...sent, kind, literals: written?.literals });
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...content } = body;
  return {
    body: {
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: inNamespace(objectAt(metadata ?? {}), namespace),
      ...content,
    },
    faults: faultsOf(unknown, written ?? scannedFor(unknown, text)),
    yamlFaults: sent.duplicates ?? [],
    ...(kind.emptyStatus === undefined ? {} : { emptyStatus: kind.emptyStatus }),
  };
}

type OfKind = Pick<Sent, 'type' | 'refusal' | 'isNew'> & { readonly kind: TypedKind };

function decodeTyped(
  value: JsonObject,
  {
    type,
    kind,
    refusal,
    isNew,
    literals,
  }: OfKind & { readonly literals: WrittenFields['literals'] | undefined },
) {
  try {
    const { value: body, unknown } = kind.decode(value, { literals, isNew });
    return { body, unknown };
  } catch (error) {
    if (error instanceof UnmarshalError) {
      throw (refusal ?? cannotBeHandled(type, type))(error.message, error.converting);
    }
    throw error;
  }
}

/** Refuses another kind. As in Kubernetes, the message names the Go types of the conversion. */
async function refuseOtherKind(value: JsonObject, { type, kind: own, refusal }: OfKind): Promise<void> {
  const expected = apiVersionOf(type);
  const { apiVersion, kind } = value;
  for (const one of [apiVersion, kind]) {
    if (one !== undefined && one !== null && typeof one !== 'string') {
      throw undecodable(type, `cannot unmarshal ${typeName(one)} into Go struct field of type string`);
    }
  }
  const [sentVersion, sentKind] = [String(apiVersion || expected), String(kind || type.kind)];
  if (sentVersion === expected && sentKind === type.kind) return;
  const sent = { kind: sentKind, version: sentVersion.split('/').at(-1) ?? '' };
  const { faultAs } = await import('./typed-kind.ts');
  const known = (await loadFields()).kind(sentVersion, sentKind);
  const why =
    known === undefined
      ? `no kind "${sentKind}" is registered for version "${sentVersion}" in scheme "pkg/runtime/scheme.go:110"`
      : (faultAs(known, value) ??
        `converting (${known.name.split('.').slice(-2).join('.')}) to (${own.internalGroup}.${type.kind}): unknown conversion`);
  throw (refusal ?? cannotBeHandled(sent, type))(why, why);
}

/** The error of a body that cannot be decoded as the type of its URL. */
function cannotBeHandled(sent: { kind: string; version: string }, { kind }: ResourceType) {
  return (why: string): Error =>
    badRequest(`${sent.kind} in version "${sent.version}" cannot be handled as a ${kind}: ${why}`);
}

/** The positions of fields in the text. They are needed only to sort several unknown fields. */
function scannedFor(unknown: readonly string[], text: string | undefined): WrittenFields | undefined {
  return unknown.length > 1 && text !== undefined ? scanFields(text) : undefined;
}

/** The faults in the order of the text. An unknown field is reported once, even if it is duplicate. */
function faultsOf(unknown: readonly string[], written: WrittenFields | undefined): string[] {
  const told = unknown.map((path) => ({ path, fault: `unknown field "${path}"` }));
  if (written === undefined) return told.map(({ fault }) => fault);
  const beside = written.duplicates.filter((path) => !unknown.some((one) => isWithin(path, one)));
  const doubled = beside.map((path) => ({ path, fault: `duplicate field "${path}"` }));
  const position = ({ path }: { path: string }) => written.positions.get(path) ?? 0;
  return [...told, ...doubled]
    .sort((left, right) => position(left) - position(right))
    .map(({ fault }) => fault);
}

function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);
}
