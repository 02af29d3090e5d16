import { type Collection, type JsonObject, metadataOf } from '../../json/index.ts';
import {
  ApplySyntaxError,
  ApplyTypeError,
  ConflictError,
  deducedShape,
  FieldManager,
  kindShape,
  type Shape,
} from '../../kubernetes/apply/index.ts';
import { decodeMessage, type FieldTable, loadFields, type Message } from '../../kubernetes/fields/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import {
  apiVersionOf,
  collectionOfType,
  type ResourceType,
  replicasPath,
} from '../../kubernetes/resource-types/index.ts';
import type { Schema } from '../../kubernetes/schemas/index.ts';
import { type Mutation, type ObjectState, refuseUnstorable } from '../../store/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import { ApiError, badRequest } from '../status/index.ts';
import { timestamp, withManagers } from './metadata.ts';
import { rulesOf, type TypeRules } from './rules/index.ts';
import { sameButTimes } from './same-but-times.ts';
import { schemaShape } from './schema-shape.ts';
import type { TrackingOptions } from './tracking-options.ts';
import { converterBetween, versionsOf } from './version-converter.ts';

interface FieldTrackingOptions {
  readonly fields: FieldManager;
  readonly manager: string;
  readonly read: TypeRules['read'];
  /** Whether who names metadata owns it, though the path does not let it be changed: as in Kubernetes. */
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
   * A change of an object, with the managedFields after it. Nothing but the time of a write is no change.
   *
   * @param desired the object as the client wants it, which a path may not let it have
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

  /** What is left to write of a mutation that says itself who owns what: nothing but a later time is nothing. */
  settled({ body: live }: ObjectState, mutation: Mutation): Mutation {
    return mutation.kind !== 'none' && sameButTimes(mutation.body, live) ? { kind: 'none' } : mutation;
  }

  /**
   * What an apply makes of an object, undefined where there is none yet; to be decoded, as a client's body is.
   * @throws ApiError 409 with a cause for each field that others own; 400 for what is no object of the type
   */
  applied(live: JsonObject | undefined, { body, force }: Application): JsonObject {
    try {
      return this.#fields.apply({ live, applied: body, manager: this.#manager, force });
    } catch (error) {
      throw toApiError(error);
    }
  }
}

function withManagersOf(object: JsonObject, tracked: JsonObject): JsonObject {
  return { ...object, metadata: withManagers(metadataOf(object), metadataOf(tracked)) };
}

/** What only a DELETE says is not a client's to say of a new object. */
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
  /** As it was sent. */
  readonly body: JsonObject;
  /** Takes what others own. */
  readonly force: boolean;
}

/** What keeps track of a request's writes. A kind that is not Kubernetes' own has its fields deduced. */
export async function createTracking({ route, manager, clock }: TrackingOptions): Promise<FieldTracking> {
  const { type, subresource } = route;
  const apiVersion = apiVersionOf(type);
  const fields = await loadFields();
  const message = fields.kind(apiVersion, type.kind);
  const others = versionsOf(type).filter((other) => other !== type);
  const shapeOf = shapesOf(type, [type, ...others], fields);
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

/** The shape of whole objects by their apiVersion: those of all versions that the kind has. */
function shapesOf(
  { custom }: ResourceType,
  versions: readonly ResourceType[],
  fields: FieldTable,
): (apiVersion: string) => Shape | undefined {
  if (custom !== undefined) {
    const metadata = kindShape(fields.message('meta.v1.ObjectMeta'));
    return (version) => {
      const schema = custom.schemas.get(version);
      return schema && schemaShape(schema as Schema, metadata);
    };
  }
  return (version) => {
    const type = versions.find((one) => apiVersionOf(one) === version);
    const message = type && fields.kind(version, type.kind);
    if (message !== undefined) return kindShape(message);
    return type === undefined ? undefined : deducedShape;
  };
}

/** What makes an object of the type one of the others that share its collection; undefined where there are none. */
async function convertersOf(type: ResourceType, others: readonly ResourceType[]) {
  if (others.length === 0) return undefined;
  const made = others.map(
    async (other) => [apiVersionOf(other), await converterBetween(type, other)] as const,
  );
  const converters = new Map(await Promise.all(made));
  return (object: JsonObject, apiVersion: string) => converters.get(apiVersion)?.(object) ?? object;
}

/** The approver and the signer are different managers. Nobody owns the question, which never changes. */
const OF_CERTIFICATES: Readonly<Partial<Record<string, readonly string[]>>> = {
  approval: ['status', 'certificate'],
  status: ['status', 'conditions'],
};

/** Whose rights they tell by is the server's to say. */
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
