import { type Collection, type JsonObject, jsonEquals, metadataOf } from '../../json/index.ts';
import {
  ApplySyntaxError,
  ApplyTypeError,
  ConflictError,
  FieldManager,
} from '../../kubernetes/apply/index.ts';
import { decodeMessage, loadFields, type Message } from '../../kubernetes/fields/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import {
  apiVersionOf,
  collectionOfType,
  type ResourceType,
  replicasPath,
} from '../../kubernetes/resource-types/index.ts';
import { type Mutation, type ObjectState, refuseUnstorable } from '../../store/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { ApiError, badRequest } from '../status/index.ts';
import { timestamp, withManagers } from './metadata.ts';
import { rulesOf, type TypeRules } from './rules/index.ts';
import { shapesOf } from './shapes-of.ts';
import type { TrackingOptions } from './tracking-options.ts';
import { converterBetween, versionsOf } from './version-converter.ts';

interface FieldTrackingOptions {
  readonly fields: FieldManager;
  readonly manager: string;
  readonly read: TypeRules['read'];
  /** Whether a manager owns metadata that it names, even if the path cannot change metadata: as in Kubernetes. */
  readonly ownsWhatItNames: boolean;
}

/** The manager and the operation of one request, as `metadata.managedFields` records them. */
export class FieldTracking {
  readonly #fields: FieldManager;
  readonly #manager: string;
  readonly #read: TypeRules['read'];
  readonly #ownsWhatItNames: boolean;

  constructor({ fields, manager, read, ownsWhatItNames }: FieldTrackingOptions) {
    this.#fields = fields;
    this.#manager = manager;
    this.#read = read;
    this.#ownsWhatItNames = ownsWhatItNames;
  }

  /** A new object as sent and decoded, with its manager. Fields that the server adds have no manager. */
  async created(sent: JsonObject): Promise<JsonObject> {
    const own = withoutDeletion(sent);
    const read = (await this.#read?.(own)) ?? own;
    return this.#fields.update({ live: undefined, updated: read, manager: this.#manager });
  }

  /**
   * A change of an object, with its new managedFields. A mutation that changes only the time of a write becomes `none`.
   *
   * @param desired the object that the client wants; the path may forbid a part of it
   */
  changed(current: ObjectState, mutation: Mutation, desired?: JsonObject): Mutation {
    if (mutation.kind === 'none') return mutation;
    const { body: live } = current;
    const named = this.#ownsWhatItNames && desired !== undefined ? metadataOf(desired) : undefined;
    const updated = named === undefined ? mutation.body : { ...mutation.body, metadata: named };
    const tracked = this.#fields.update({ live, updated, manager: this.#manager });
    const body = named === undefined ? tracked : withManagersOf(mutation.body, tracked);
    refuseUnstorable(body, live);
    return this.settled(current, { ...mutation, body });
  }

  /** The mutation, which has its own managedFields; `none` if it changes only the time of a write. */
  settled({ body: live }: ObjectState, mutation: Mutation): Mutation {
    return mutation.kind !== 'none' && sameButTimes(mutation.body, live) ? { kind: 'none' } : mutation;
  }

  /**
   * The object after an apply, which must be decoded like a client's body. `live` is undefined if none exists yet.
   * @throws ApiError 409 with a cause for each field of another manager; 400 the value is not an object of the type
   */
  applied(live: JsonObject | undefined, { body, force }: Application): JsonObject {
    try {
      return this.#fields.apply({ live, applied: body, manager: this.#manager, force });
    } catch (error) {
      throw toApiError(error);
    }
  }
}

/** Whether a mutation changes only the times in managedFields. */
function sameButTimes(body: JsonObject, live: JsonObject): boolean {
  return jsonEquals(withoutTimes(body), withoutTimes(live));
}

function withoutTimes(body: JsonObject): JsonObject {
  const { managedFields, ...metadata } = metadataOf(body);
  if (!Array.isArray(managedFields)) return body;
  const entries = managedFields.map((entry) => {
    const { time: _time, ...rest } = entry as JsonObject;
    return rest;
  });
  return { ...body, metadata: { ...metadata, managedFields: entries } };
}

function withManagersOf(object: JsonObject, tracked: JsonObject): JsonObject {
  return { ...object, metadata: withManagers(metadataOf(object), metadataOf(tracked)) };
}

/** The object without the fields that only a DELETE sets. A client cannot set them on a new object. */
function withoutDeletion(sent: JsonObject): JsonObject {
  const { deletionTimestamp: _timestamp, deletionGracePeriodSeconds: _grace, ...metadata } = metadataOf(sent);
  return { ...sent, metadata };
}

function toApiError(error: unknown): unknown {
  if (error instanceof ConflictError) {
    const causes = error.causes.map((cause) => ({ reason: 'FieldManagerConflict', ...cause }));
    return new ApiError(409, 'Conflict', error.message, { causes });
  }
  const isMistake = error instanceof ApplySyntaxError || error instanceof ApplyTypeError;
  return isMistake ? badRequest(error.message) : error;
}

export interface Application {
  /** The body as it was sent. */
  readonly body: JsonObject;
  /** Whether to take over fields of other managers. */
  readonly force: boolean;
}

/** The field tracking of a request. For a kind that is not Kubernetes' own, the fields are deduced. */
export async function createTracking({ route, manager, clock }: TrackingOptions): Promise<FieldTracking> {
  const { type, subresource } = route;
  const apiVersion = apiVersionOf(type);
  const fields = await loadFields();
  const message = fields.kind(apiVersion, type.kind);
  const others = versionsOf(type).filter((other) => other !== type);
  const shapeOf = shapesOf(type, fields);
  const names = { apiVersion, kind: type.kind };
  const fieldManager = new FieldManager({
    ...names,
    subresource,
    shapeOf,
    convert: await convertersOf(type, others),
    reset: resetOf(route),
    empty: message === undefined ? names : emptyObject(message, names),
    now: timestamp(clock),
    scaled: subresource === 'scale' ? replicasPath(type) : undefined,
  });
  const ownsWhatItNames = subresource === 'status' && type.custom !== undefined;
  return new FieldTracking({ fields: fieldManager, manager, read: rulesOf(type).read, ownsWhatItNames });
}

/** The converter from the type to the others that share its collection; undefined if there are none. */
async function convertersOf(type: ResourceType, others: readonly ResourceType[]) {
  if (others.length === 0) return undefined;
  const made = others.map(
    async (other) => [apiVersionOf(other), await converterBetween(type, other)] as const,
  );
  const converters = new Map(await Promise.all(made));
  return (object: JsonObject, apiVersion: string) => converters.get(apiVersion)?.(object) ?? object;
}

/** The reset fields of certificates. The approver and the signer are different managers. `spec` has no manager. */
const OF_CERTIFICATES: Readonly<Partial<Record<string, readonly string[]>>> = {
  approval: ['status', 'certificate'],
  status: ['status', 'conditions'],
};

/** Collections whose author the server sets: the author's permissions limit what these objects deliver. */
const TELLING: ReadonlySet<Collection> = new Set([SUBSCRIPTIONS, TALLIES]);
const AUTHOR = ['status', 'author'];

/** The fields that a write through the path leaves as they are. Its manager does not come to own them. */
function resetOf({ type, subresource }: ResourceRoute): readonly (readonly string[])[] {
  if (type.kind === 'CertificateSigningRequest' && type.custom === undefined) {
    return [['spec'], OF_CERTIFICATES[subresource] ?? ['status']];
  }
  if (subresource === 'status') {
    if (type.custom !== undefined) return [['spec']];
    const { statusKeeps = [] } = type;
    const kept =
      statusKeeps === 'metadata' ? [['metadata']] : statusKeeps.map((field) => ['metadata', field]);
    return [['spec'], ...kept, ...(TELLING.has(collectionOfType(type)) ? [AUTHOR] : [])];
  }
  return type.status ? [['status']] : [];
}

const EMPTY = new WeakMap<Message, JsonObject>();

function emptyObject(message: Message, names: JsonObject): JsonObject {
  const known = EMPTY.get(message) ?? { ...names, ...decodeMessage(message, {}).value };
  EMPTY.set(message, known);
  return known;
}
