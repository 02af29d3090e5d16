import { TIMING } from '../../platform/index.ts';
import { type JsonObject, toObject } from '../../store/index.ts';
import type { WatchEvent } from '../../watch/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  isTrue,
  readCount,
  readVersion,
  refuseListOptions,
  selectionOf,
} from '../http/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { apiVersionOf } from '../resource-types/index.ts';
import { type Presenter, presenterOf } from '../show/index.ts';
import { expired, failureStatus, mapError } from '../status/index.ts';

/**
 * WATCH: one JSON event a line. Without a resourceVersion, or from 0, it begins with the present objects as
 * ADDED. Ends cleanly, whatever happens: clients do not survive a broken stream.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 * @throws GoneError when the resourceVersion is too old, before anything is sent.
 */
export async function watchObjects(call: Call): Promise<Answer> {
  const { options, request, route, signal } = call;
  const present = presenterOf(call);
  refuseListOptions(request.query, true);
  const events = await options.watches.open(collectionOfCall(call), {
    ...selectionOf(route, request.query),
    from: readVersion(request.query) || undefined,
    bookmarks: isTrue(request.query.get('allowWatchBookmarks')),
    timeout: timeoutOf(request.query),
    signal,
  });
  return { status: 200, lines: linesOf(events, { call, present }) };
}

function timeoutOf(query: URLSearchParams): number {
  const seconds = readCount(query, 'timeoutSeconds');
  return seconds > 0 ? Math.min(seconds * 1_000, TIMING.watch) : TIMING.watch;
}

interface LineOptions {
  readonly call: Call;
  readonly present: Presenter;
}

async function* linesOf(
  events: AsyncIterable<WatchEvent>,
  { call, present }: LineOptions,
): AsyncGenerator<string> {
  const { type } = call.route;
  let first = true;
  try {
    for await (const event of events) {
      yield lineOf(event, { type, show: (object) => present.event(object, first) });
      first = first && !('object' in event);
      if (event.type === 'GONE') return;
    }
  } catch (error) {
    const status = failureStatus(mapError(error, { logger: call.options.logger, type }));
    yield `${JSON.stringify({ type: 'ERROR', object: status })}\n`;
  }
}

interface EventOptions {
  readonly type: ResourceType;
  show(object: JsonObject): JsonObject;
}

function lineOf(event: WatchEvent, { type, show }: EventOptions): string {
  switch (event.type) {
    case 'HEARTBEAT':
      return '\n';
    case 'GONE':
      return `${JSON.stringify({ type: 'ERROR', object: failureStatus(expired(event.message)) })}\n`;
    case 'BOOKMARK':
      return `${JSON.stringify({ type: event.type, object: bookmark(type, event.rv) })}\n`;
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return `${JSON.stringify({ type: event.type, object: show(toObject(event.object)) })}\n`;
    default:
      return event satisfies never;
  }
}

function bookmark(type: ResourceType, rv: number): JsonObject {
  return {
    kind: type.kind,
    apiVersion: apiVersionOf(type),
    metadata: { resourceVersion: String(rv), creationTimestamp: null },
  };
}
