import { type JsonObject, metadataOf } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import {
  type Known,
  LabelLimitError,
  type Mutation,
  type ObjectState,
  OutOfTimeError,
  refuseUnstorable,
  toObject,
  type WriteOutcome,
} from '../../store/index.ts';
import { type Admission, admissionOf, type Charge, charged, tellGiven } from '../admission/index.ts';
import {
  type Answer,
  accountsOf,
  announceCommit,
  asServer,
  type Call,
  collectionOfCall,
  objectNameOf,
  readBody,
  readDryRun,
  readFieldValidation,
  readManager,
} from '../http/index.ts';
import {
  type DecodedObject,
  decodeSent,
  ensureNamespace,
  type FieldTracking,
  generatesName,
  judgeFaults,
  type NewObjectOptions,
  namespaceNotFound,
  newObject,
  readNamespace,
  refuseTerminating,
  rulesOf,
  SYSTEM_NAMESPACES,
  sentWarnings,
  spelled,
  spelledMutation,
  trackFields,
  writtenWarnings,
} from '../objects/index.ts';
import { presenterOf } from '../show/index.ts';
import {
  alreadyExists,
  badRequest,
  labelLimitExceeded,
  nameNotGenerated,
  stillExists,
} from '../status/index.ts';
import { mutated } from './admitting/index.ts';
import { ReadAhead } from './read-ahead.ts';

/** The number of generated names to try, as upstream. */
const NAME_ATTEMPTS = 8;

/** POST to a collection. */
export async function createObject(call: Call): Promise<Answer> {
  const { request, route, options } = call;
  const { type, namespace } = route;
  const present = await presenterOf(call);
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const validation = readFieldValidation(request.query, 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const decoded = await decodeSent({ ...sent, type, namespace, isNew: true });
  const judged = judgeFaults(decoded, type, validation);
  if (!dryRun) refuseVersion(metadataOf(decoded.body));
  const manager = readManager(request, 'CreateOptions');
  const tracking = await trackFields({ route, manager, clock: options.clock });
  const created = await createNamed(call, { decoded, tracking, dryRun });
  await announceCommit(options, collectionOfCall(call), created, dryRun);
  const value = created.after === undefined ? {} : toObject(created.after);
  const shown = dryRun ? withSentVersion(value, metadataOf(decoded.body)) : value;
  const written = await writtenWarnings(type, '', created);
  const warnings = [...judged, ...sentWarnings(type, decoded.body), ...written];
  return { status: 201, value: present.object(shown), warnings };
}

/** Returns the object of a dry run with the resourceVersion that the caller sent: as in Kubernetes, nothing checks it. */
function withSentVersion(object: JsonObject, { resourceVersion = '' }: JsonObject): JsonObject {
  return resourceVersion === ''
    ? object
    : { ...object, metadata: { ...metadataOf(object), resourceVersion } };
}

function refuseVersion({ resourceVersion = '' }: JsonObject): void {
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
}

/** A new object, and how to create it. */
export interface Creation extends NewObject {
  readonly dryRun: boolean;
  /** The object and the namespace, if they were read already. */
  readonly ahead?: ReadAhead;
}

/** A new object, and what admission decided about it. */
export interface NewObject {
  readonly body: JsonObject;
  /** Whether the request or a rule names the object. Only another name is generated anew if it is taken. */
  readonly isNamed: boolean;
  readonly admission: Admission;
}

interface NamedCreation {
  readonly decoded: DecodedObject;
  readonly tracking: FieldTracking;
  readonly dryRun: boolean;
}

/** Creates the object. If a generated name is taken, it generates another. */
async function createNamed(call: Call, creation: NamedCreation): Promise<WriteOutcome> {
  const { clock, random } = call.options;
  const { type } = call.route;
  const { decoded, tracking, dryRun } = creation;
  const { emptyStatus } = decoded;
  refuseUnstorable(decoded.body);
  const sent = await tracking.created(decoded.body);
  for (let attempt = 1; ; attempt += 1) {
    const ahead = new ReadAhead(call, String(metadataOf(sent).name ?? ''));
    const made = await newInNamespace(call, { type, sent, emptyStatus, clock, random, dryRun, ahead });
    const outcome = await createInNamespace(call, { ...made, dryRun, ahead });
    if (typeof outcome !== 'string') return outcome;
    const name = String(metadataOf(made.body).name);
    if (made.isNamed) throw outcome === 'leaving' ? stillExists(type, name) : alreadyExists(type, name);
    if (attempt === NAME_ATTEMPTS) throw nameNotGenerated(type, name);
  }
}

type NewOptions = NewObjectOptions & Pick<Creation, 'dryRun' | 'ahead'>;

/**
 * Completes and checks a new object. Faults of the object are reported only if its namespace exists, because Kubernetes
 * checks the namespace first.
 * @throws {OutOfTimeError} the time of the request ran out before all checks were made: nothing is written.
 */
export async function newInNamespace(call: Call, options: NewOptions): Promise<NewObject> {
  try {
    return await admittedNew(call, options);
  } catch (error) {
    if (!(error instanceof OutOfTimeError)) throw error;
    throw new OutOfTimeError('the object was not written, because the time of the request ran out first', {
      cause: error,
    });
  }
}

async function admittedNew(call: Call, { dryRun, ahead, ...options }: NewOptions): Promise<NewObject> {
  const { route } = call;
  const { type, clock, random } = options;
  refuseUnstorable(options.sent);
  const sent = await sentBy(call, type, options.sent);
  const { store, serviceRange, subscribing } = asServer(call.options);
  const accounts = accountsOf(call.options);
  const where = { subresource: '', namespace: route.namespace, serviceRange, subscribing, accounts };
  const asked = { type, body: sent, exists: false, ...where };
  try {
    const snapshot = ahead && { snapshot: ahead.snapshot.bind(ahead) };
    const admission = await admissionOf({ ...asked, ...snapshot, store, random, dryRun, now: clock.now() });
    const isNamed = !generatesName(metadataOf(sent));
    const completed = admission.complete(sent);
    const name = isNamed ? String(metadataOf(sent).name ?? '') : '';
    const changed = await mutated(call, { name, object: completed, dryRun });
    const wanted = changed === completed ? completed : admission.complete(await sentBy(call, type, changed));
    // If a webhook renamed the object, the request has read the state of the former name. It reads anew.
    if (isNamed && metadataOf(wanted).name !== name) ahead?.take();
    const body = await newObject({ ...options, sent: wanted });
    admission.refuse(body);
    return { body: await spelled(type, body), isNamed: !generatesName(metadataOf(wanted)), admission };
  } catch (error) {
    const name = String(metadataOf(sent).name ?? '');
    const admitted = isAdmitted(call, await namespaceOf(call), { name, dryRun: true });
    throw admitted ? error : namespaceNotFound(route.namespace);
  }
}

/** Sets what an object says about its sender, also after a change by rules: they do not decide it. */
async function sentBy({ request }: Call, type: ResourceType, body: JsonObject): Promise<JsonObject> {
  return (await rulesOf(type).sentBy?.(body, request.user)) ?? body;
}

/**
 * Creates an object in an existing namespace. A missing system namespace is created first.
 * @throws ApiError 404 the namespace does not exist; 403 it is terminating
 */
export async function createInNamespace(call: Call, creation: Creation): Promise<WriteOutcome | Taken> {
  const { options, route } = call;
  const outcome = await write(call, creation);
  if (outcome !== 'no namespace') return outcome;
  if (SYSTEM_NAMESPACES.includes(route.namespace)) {
    const made = await ensureNamespace(asServer(options), route.namespace);
    await announceCommit(options, NAMESPACES, made, false);
    // `ahead` is used up: this attempt reads anew.
    const again = await write(call, creation);
    if (again !== 'no namespace') return again;
  }
  throw namespaceNotFound(route.namespace);
}

/** Another object has the name. `leaving`: that object is terminating. */
type Taken = 'taken' | 'leaving';

/** The reason why nothing was written, if another attempt may succeed. */
type Obstacle = Taken | 'no namespace';

/**
 * Writes the object. Its namespace is read ahead together with the object, or inside the change. The deletion of a
 * namespace relies on this: no object may be created long after its namespace was read. The store therefore commits
 * soon after that read, or not at all.
 */
async function write(
  call: Call,
  { body, admission, dryRun, ahead }: Creation,
): Promise<WriteOutcome | Obstacle> {
  const { type } = call.route;
  const name = String(metadataOf(body).name);
  let obstacle: Obstacle | undefined;
  let charge: Charge | undefined;
  const { object: known, namespace } = ahead?.take() ?? {};
  let firstLook = namespace;
  const change = async (current: ObjectState | undefined): Promise<Mutation> => {
    const space = firstLook ?? (await namespaceOf(call));
    firstLook = undefined;
    const admitted = isAdmitted(call, space, { name, dryRun });
    obstacle = admitted ? current && takenBy(current) : 'no namespace';
    if (obstacle !== undefined) return { kind: 'none' };
    charge = await admission.charge(body, undefined, async (object) =>
      call.decide?.(() => ({
        operation: 'CREATE',
        name,
        object,
        dryRun,
        namespace: space?.state,
      })),
    );
    const mutation = charged({ kind: 'put', body }, charge);
    return charge.body === undefined ? mutation : spelledMutation(type, mutation);
  };
  try {
    const target = objectNameOf(call, name);
    const request = { dryRun, known };
    const outcome = await call.options.store.write(collectionOfCall(call), target, change, request);
    if (obstacle === undefined && !dryRun) await tellGiven(asServer(call.options), charge);
    return obstacle ?? outcome;
  } catch (error) {
    throw error instanceof LabelLimitError ? labelLimitExceeded(type, name, error) : error;
  }
}

function takenBy({ body }: ObjectState): Taken {
  return metadataOf(body).deletionTimestamp === undefined ? 'taken' : 'leaving';
}

interface Entry {
  readonly name: string;
  readonly dryRun: boolean;
}

/** The namespace of a new object, read consistently; undefined if the object is cluster-scoped. */
async function namespaceOf({ options, route }: Call): Promise<Pick<Known, 'state'> | undefined> {
  const { type, namespace } = route;
  if (type.scope === 'Cluster') return undefined;
  return { state: await readNamespace(asServer(options).store, namespace) };
}

/**
 * Whether the object's namespace exists.
 *
 * @param space undefined if the object is cluster-scoped
 * @throws ApiError 403 it is terminating
 */
function isAdmitted(
  { route }: Call,
  space: Pick<Known, 'state'> | undefined,
  { name, dryRun }: Entry,
): boolean {
  const { type, namespace } = route;
  if (space === undefined) return true;
  // A dry run does not create `default`, but the real write would.
  if (space.state === undefined) return dryRun && SYSTEM_NAMESPACES.includes(namespace);
  refuseTerminating(space.state, type, { namespace, name });
  return true;
}
