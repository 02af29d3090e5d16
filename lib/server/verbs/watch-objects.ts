import type { JsonObject } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import { TIMING } from '../../platform/index.ts';
import type { HeldWatch, WatchEvent, WatchRequest } from '../../store/index.ts';
import { toObject } from '../../store/index.ts';
import {
  type Answer,
  type ApiRequest,
  type Call,
  collectionOfCall,
  isTrue,
  isWatchList,
  MASTERS,
  readCount,
  readVersion,
  refuseListOptions,
  selectionOf,
} from '../http/index.ts';
import { type Presenter, presenterOf, storedJson } from '../show/index.ts';
import { expired, failureStatus, mapError, tooManyRequests, versionAhead } from '../status/index.ts';

/**
 * WATCH: one JSON event a line. Without a resourceVersion, or from 0, it begins with the present objects as ADDED. The
 * stream ends cleanly even after an error, because clients do not survive a broken stream.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 * @throws GoneError when the resourceVersion is too old, before anything is sent.
 */
export async function watchObjects(call: Call): Promise<Answer> {
  const { options, request, route, signal } = call;
  const present = await presenterOf(call);
  if (request.query.has('at')) await (await import('./version-at.ts')).versionAt(call);
  refuseListOptions(request.query, options.maximumBytes === undefined ? 'streamed watch' : 'buffered watch');
  if (asksForWebSocket(request)) return { status: 200, lines: nothing() };
  const timeout = timeoutOf(request.query);
  const asked = {
    ...selectionOf(route, request.query),
    ...(await beginningOf(call)),
    bookmarks: isTrue(request.query.get('allowWatchBookmarks')),
    timeout,
    signal,
  };
  const held = await heldWatch(call, timeout);
  const events = await options.watches.open(collectionOfCall(call), asked).catch(async (error: unknown) => {
    await held?.leave();
    throw error;
  });
  const lines = linesOf(events, { call, present });
  return { status: 200, lines: held === undefined ? lines : leaving(lines, held) };
}

/**
 * A permit for one more open watch of the user. Members of `system:masters` need no permit, so operators cannot lock
 * themselves out.
 * @throws ApiError 429
 */
async function heldWatch({ options, request, signal }: Call, lasts: number): Promise<HeldWatch | undefined> {
  const { username, groups } = request.user;
  const { watchCap } = options;
  if (watchCap === undefined || groups.includes(MASTERS)) return undefined;
  const held = await watchCap.enter(username, lasts, signal);
  if (held !== undefined) return held;
  const counts = `A watch whose client disconnected counts for up to ${TIMING.watch / 1_000} s`;
  throw tooManyRequests(`user ${username} has ${watchCap.most} open watches, which is the limit. ${counts}`);
}

async function* leaving(lines: AsyncIterable<string>, held: HeldWatch): AsyncGenerator<string> {
  try {
    yield* lines;
  } finally {
    await held.leave();
  }
}

/**
 * Whether the client wants a WebSocket. Behind a gateway a connection cannot be upgraded, so the answer ends at once.
 * Then fabric8 watches without a WebSocket. After any other answer it repeats the same request for minutes.
 */
function asksForWebSocket({ headers }: ApiRequest): boolean {
  return (headers.upgrade ?? '').toLowerCase() === 'websocket' || headers['sec-websocket-key'] !== undefined;
}

async function* nothing(): AsyncGenerator<string> {}

/**
 * The position where a watch begins. `sendInitialEvents` says whether it begins with the present objects, which a
 * bookmark ends. A client then lists and watches in one request.
 * @throws ApiError 504 the present objects must not be older than a resourceVersion that is in the future
 */
async function beginningOf(call: Call): Promise<Pick<WatchRequest, 'from' | 'marksInitial'>> {
  const { options, request } = call;
  const rv = readVersion(request.query) ?? 0;
  const sent = request.query.get('sendInitialEvents');
  if (sent === null) return { from: rv || undefined };
  if (!isTrue(sent) && rv > 0) return { from: rv };
  const head = await options.store.head(collectionOfCall(call));
  if (!isTrue(sent)) return { from: head };
  if (rv > head) throw versionAhead(`Too large resource version: ${rv}, current: ${head}`);
  return { marksInitial: true };
}

function timeoutOf(query: URLSearchParams): number {
  const seconds = readCount(query, 'timeoutSeconds');
  return seconds > 0 ? Math.min(seconds * 1_000, TIMING.watch) : TIMING.watch;
}

/**
 * Whether the client needs empty lines as heartbeats. Node's fetch, which client-node uses, aborts a stream that is
 * silent for 30 seconds. All other clients receive events only, as from kube-apiserver. For fabric8 and client-java an
 * empty line is a broken event that ends their watch. Python's client delivers it as an event of None.
 */
function needsHeartbeats({ headers }: ApiRequest): boolean {
  return /^(undici|node)/.test(headers['user-agent'] ?? '');
}

/** The message after a change of permissions. Only a new list shows which objects became hidden or visible. */
const CHANGED = 'your permissions changed while this watch was open; list again';

interface LineOptions {
  readonly call: Call;
  readonly present: Presenter;
}

async function* linesOf(
  events: AsyncIterable<WatchEvent>,
  { call, present }: LineOptions,
): AsyncGenerator<string> {
  const { type } = call.route;
  const { permit, options, request, signal } = call;
  const { clock } = options;
  const gone: WatchEvent = { type: 'GONE', message: CHANGED };
  const heartbeats = needsHeartbeats(request);
  let first = true;
  const blueprint = isWatchList(request.query) ? blueprintOf(present) : {};
  const shown = {
    type,
    blueprint,
    show: (object: JsonObject) => present.event(object, first),
    isWhole: present.members !== undefined,
  };
  let allowed = clock.now();
  try {
    for await (const event of events) {
      if (permit !== undefined && clock.now() - allowed >= TIMING.watchHeartbeat) {
        const standing = await permit.stands();
        if (standing === 'changed') return yield lineOf(gone, shown);
        if (standing === 'denied') return;
        allowed = clock.now();
      }
      if (event.type === 'HEARTBEAT' && !heartbeats) continue;
      yield lineOf(event, shown);
      first = first && event.type === 'HEARTBEAT';
      if (event.type === 'GONE') return;
    }
    // The next watch would continue with other grants, and not show which objects became visible or hidden by them.
    if (permit !== undefined && !signal.aborted && (await permit.stands()) === 'changed') {
      yield lineOf(gone, shown);
    }
  } catch (error) {
    const status = failureStatus(mapError(error, { logger: call.options.logger, type }));
    yield `${JSON.stringify({ type: 'ERROR', object: status })}\n`;
  }
}

interface EventOptions {
  readonly type: ResourceType;
  /** The annotations of the bookmark that ends the present objects, in addition to {@link INITIAL_EVENTS_END}. */
  readonly blueprint: JsonObject;
  show(object: JsonObject): JsonObject;
  /** Whether objects are shown as they are. */
  readonly isWhole: boolean;
}

function lineOf(event: WatchEvent, shown: EventOptions): string {
  const { show } = shown;
  switch (event.type) {
    case 'HEARTBEAT':
      return '\n';
    case 'GONE':
      return `${JSON.stringify({ type: 'ERROR', object: failureStatus(expired(event.message)) })}\n`;
    case 'BOOKMARK':
      return `${JSON.stringify({ type: event.type, object: show(bookmark(event, shown)) })}\n`;
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      const stored = shown.isWhole ? storedJson(event.object, 'typed') : undefined;
      const object = stored ?? JSON.stringify(show(toObject(event.object)));
      return `{"type":"${event.type}","object":${object}}\n`;
    }
    default:
      return event satisfies never;
  }
}

const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

/** An empty list, in Base64, from which a client that lists by watching makes the kind of its list. */
function blueprintOf(present: Presenter): JsonObject {
  const list = JSON.stringify(present.list([], {}));
  return { 'kubernetes.io/initial-events-list-blueprint': Buffer.from(`${list}\n`).toString('base64') };
}

function bookmark(
  { rv, endsInitial = false }: Extract<WatchEvent, { type: 'BOOKMARK' }>,
  { type, blueprint }: EventOptions,
): JsonObject {
  return {
    kind: type.kind,
    apiVersion: apiVersionOf(type),
    metadata: {
      resourceVersion: String(rv),
      creationTimestamp: null,
      ...(endsInitial ? { annotations: { ...INITIAL_EVENTS_END, ...blueprint } } : {}),
    },
  };
}
