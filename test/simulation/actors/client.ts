import { metadataOf, type ObjectName, TooLargeError } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import {
  ContentionError,
  type Known,
  type Mutation,
  type ObjectState,
  OutOfTimeError,
  parseNameKey,
  type Store,
  ThrottledError,
  UnavailableError,
  UndecidedError,
} from '../../../lib/store/index.ts';
import type { Operation } from '../history.ts';
import type { Cluster, WriteService } from './cluster.ts';
import { PODS, podOf, snapshotOf, type Written } from './pods.ts';
import { NAMESPACES } from './targets.ts';

export type Request = {
  readonly object: string;
  /** Whether a create reads its namespace first. */
  readonly inNamespace: boolean;
  readonly expected?: number | undefined;
} & ({ readonly kind: 'create' | 'update'; readonly wrote: Written } | { readonly kind: 'delete' | 'get' });

/** The error of a request that the API refuses. */
class RefusedError extends Error {
  readonly reason: NonNullable<Operation['reason']>;

  constructor(reason: NonNullable<Operation['reason']>) {
    super(reason);
    this.reason = reason;
  }
}

/** The time in ms after which the gateway stops waiting, before the function's own timeout. */
const PATIENCE = TIMING.gateway;

/** Sends one request of one client, through a function that may die during it. */
export async function perform(cluster: Cluster, client: string, request: Request): Promise<Operation> {
  const invoked = cluster.now;
  const { kind, object, expected } = request;
  const about = {
    client,
    kind,
    object,
    invoked,
    ...(expected === undefined ? {} : { expected }),
    ...('wrote' in request ? { wrote: request.wrote } : {}),
  };
  const ended = await cluster.write.invoke(PATIENCE, (service) => serve(service, request));
  const operation: Operation = {
    ...about,
    returned: ended.how === 'died' ? undefined : cluster.now,
    ...(ended.how === 'done'
      ? { outcome: 'ok' as const, answer: snapshotOf(ended.result) }
      : outcomeOf(ended.how === 'failed' ? ended.error : undefined)),
  };
  cluster.recorder.operations.push(operation);
  return operation;
}

function outcomeOf(error: unknown): Pick<Operation, 'outcome' | 'reason'> {
  if (error === undefined || error instanceof UndecidedError) return { outcome: 'unknown' };
  if (error instanceof RefusedError) return { outcome: 'refused', reason: error.reason };
  if (error instanceof TooLargeError) return { outcome: 'refused', reason: 'too-large' };
  // The API answers both with 429: retry.
  if (error instanceof ContentionError || error instanceof ThrottledError) {
    return { outcome: 'refused', reason: 'throttled' };
  }
  if (error instanceof UnavailableError || error instanceof OutOfTimeError) {
    return { outcome: 'refused', reason: 'unavailable' };
  }
  throw error;
}

async function serve(service: WriteService, request: Request): Promise<ObjectState> {
  const { hints, random, clock } = service;
  const store = service.store.within(clock.deadline(TIMING.request));
  const name = parseNameKey(request.object);
  if (request.kind === 'get') {
    const state = await store.get(PODS, name);
    if (state === undefined) throw new RefusedError('absent');
    return state;
  }
  const uid = random.uuid();
  const needsNamespace = request.kind === 'create' && request.inNamespace;
  const [namespace, known] = needsNamespace ? await readAhead(store, name) : [];
  let firstLook = namespace;
  const change = async (current: ObjectState | undefined) => {
    const mutation = mutationOf(request, current, uid);
    if (needsNamespace) refuseNamespace(firstLook ? firstLook.state : await readNamespace(store, name));
    firstLook = undefined;
    return mutation;
  };
  const { after, isFollowed } = await store.write(PODS, name, change, { known });
  if (after === undefined) throw new Error('a write that stands has a state');
  await hints.announce(PODS, after.rv, clock.deadline(TIMING.hint), isFollowed);
  return after;
}

/** Reads a namespace and the object in it, as a create of the API does. */
async function readAhead(store: Store, name: ObjectName): Promise<readonly Known[]> {
  const namespace = { collection: NAMESPACES, name: { namespace: '', name: name.namespace } };
  return (await store.prefetch({ objects: [namespace, { collection: PODS, name }], collections: [] }))
    .objects;
}

function readNamespace(store: Store, { namespace }: ObjectName): Promise<ObjectState | undefined> {
  return store.get(NAMESPACES, { namespace: '', name: namespace });
}

function refuseNamespace(state: ObjectState | undefined): void {
  const isThere = state !== undefined && metadataOf(state.body).deletionTimestamp === undefined;
  if (!isThere) throw new RefusedError('forbidden');
}

function mutationOf(request: Request, current: ObjectState | undefined, uid: string): Mutation {
  if (request.kind === 'create') {
    if (current !== undefined) throw new RefusedError('exists');
    return { kind: 'put', body: podOf({ object: request.object, uid }, request.wrote) };
  }
  if (current === undefined) throw new RefusedError('absent');
  if (request.expected !== undefined && request.expected !== current.rv) throw new RefusedError('conflict');
  if (request.kind !== 'update') return { kind: 'delete', body: current.body };
  return { kind: 'put', body: podOf({ object: request.object, uid: current.uid }, request.wrote) };
}
