import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { firstGeneration } from './generation.ts';
import { mergeMetadata, timestamp } from './metadata.ts';
import { rulesOf } from './rules/index.ts';
import { refuseInvalid } from './validate-object.ts';

export interface NewObjectOptions {
  readonly type: ResourceType;
  /** The decoded object of the client. */
  readonly sent: JsonObject;
  /** The initial status of its kind, if known. The initial status of its rules is added to it. */
  readonly emptyStatus?: JsonObject | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Makes the error for an invalid object. Without this function, the error is a 422 with the object's name. */
  readonly refusal?: (errors: readonly FieldError[]) => Error;
}

const SUFFIX_LENGTH = 5;
/** The longest prefix, so that a generated name has at most 63 characters, the shortest limit of any name. */
const LONGEST_PREFIX = 63 - SUFFIX_LENGTH;

/**
 * The object to store for a create: with the server's metadata, the initial status of its type, and a generated name
 * if it asks for one.
 * @throws ApiError 422
 */
export async function newObject(options: NewObjectOptions): Promise<JsonObject> {
  const { type, sent, emptyStatus, clock, random, refusal } = options;
  const rules = rulesOf(type);
  const { status, ...content } = sent;
  const body = {
    ...content,
    metadata: newMetadata({ type, sent: metadataOf(sent), clock, random }),
    ...statusOf(type, { status, emptyStatus }),
  };
  const prepared = (await rules.prepare?.(body)) ?? body;
  await refuseInvalid({ type, body: prepared, refusal });
  return prepared;
}

/** Whether the server generates the object's name. */
export function generatesName(metadata: JsonObject): boolean {
  return (metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '';
}

function newMetadata({ type, sent, clock, random }: NewObjectOptions): JsonObject {
  const { name, generateName, namespace } = sent;
  const owned = {
    ...(generatesName(sent)
      ? { name: generateNameFrom(String(generateName), random) }
      : { name: name || ownName(type, random) }),
    ...(generateName === undefined || generateName === '' ? {} : { generateName }),
    ...(namespace === undefined ? {} : { namespace }),
    uid: random.uuid(),
    ...firstGeneration(type, sent),
    creationTimestamp: timestamp(clock),
  };
  return mergeMetadata(owned, sent);
}

/** The random name of an object without a name, if its type has such names: as Kubernetes does for a LimitRange. */
function ownName(type: ResourceType, random: Random): string {
  return rulesOf(type).namesItself === true ? random.uuid() : '';
}

function generateNameFrom(prefix: string, random: Random): string {
  return `${prefix.slice(0, LONGEST_PREFIX)}${random.suffix(SUFFIX_LENGTH)}`;
}

/** The status of a new object. If the type has `/status`, a create cannot set it, except if the rules allow it. */
function statusOf(type: ResourceType, { status: sent, emptyStatus }: Statuses): JsonObject {
  const { initialStatus, takesStatus = false } = rulesOf(type);
  const known = emptyStatus ?? initialStatus;
  const begun = known && { ...emptyStatus, ...initialStatus, ...(takesStatus ? objectAt(sent) : {}) };
  const status = type.status ? begun : sent;
  return status === undefined ? {} : { status };
}

interface Statuses {
  readonly status: JsonValue | undefined;
  readonly emptyStatus: JsonObject | undefined;
}
