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
  /** Decoded. */
  readonly sent: JsonObject;
  /** The status that its kind begins with, where that is known; what its rules begin with comes on top. */
  readonly emptyStatus?: JsonObject | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The error of all that is wrong with it; a 422 that names it where this is absent. */
  readonly refusal?: (errors: readonly FieldError[]) => Error;
}

const SUFFIX_LENGTH = 5;
/** What is left of 63 characters, the shortest limit of any name. */
const LONGEST_PREFIX = 63 - SUFFIX_LENGTH;

/**
 * The object to store for a create: with the server's metadata, the status its type begins with, and a
 * generated name where it asks for one.
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

/** Whether the server names the object. */
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

/** As Kubernetes gives it to a LimitRange. */
function ownName(type: ResourceType, random: Random): string {
  return rulesOf(type).namesItself === true ? random.uuid() : '';
}

function generateNameFrom(prefix: string, random: Random): string {
  return `${prefix.slice(0, LONGEST_PREFIX)}${random.suffix(SUFFIX_LENGTH)}`;
}

/** Where there is `/status`, a create cannot set it. */
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
