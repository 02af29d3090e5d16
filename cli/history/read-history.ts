import type { JsonObject, JsonValue } from '../../lib/json/index.ts';
import type { KubernetesObject } from '../client.ts';
import type { Connection } from '../connection/index.ts';
import type { Target } from './find-target.ts';

/** A change, as the API shows it. */
export interface HistoryItem {
  readonly resourceVersion: string;
  readonly previousResourceVersion?: string;
  /** RFC 3339. */
  readonly time: string;
  readonly type: 'Created' | 'Updated' | 'Deleted' | 'Entered' | 'Changed' | 'Left';
  /** Absent for Winnow's own writes. */
  readonly user?: string;
  readonly manager?: string;
  readonly cause?: string;
  readonly object: JsonObject & { readonly name: string; readonly namespace?: string };
  readonly patch: readonly PatchOperation[];
  /** The states, if the request asked for them. */
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}

/** An operation of RFC 6902. */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: JsonValue;
}

/** The changes that a command asks for. */
export interface HistoryRequest {
  readonly all: boolean;
  readonly states: boolean;
  readonly selector?: string | undefined;
  readonly since?: string | undefined;
  /** The most changes of one page. */
  readonly limit: number;
}

/** The reasons why a history ends before the creation of its objects, as sentences. */
const ENDS: Readonly<Record<string, string>> = {
  Expired: 'Older changes have expired.',
  Missing: 'Older changes are not recorded.',
  NotVisible: 'Older changes are not shown, because you may not see the object before them.',
  Redefined: 'Older changes belong to a former definition of the kind.',
};

/**
 * The changes of an object or of a collection, newest first, read page by page as they are consumed. Returns a sentence
 * about older changes, if there may be some.
 *
 * @throws {Fault}
 */
export async function* readHistory(
  connection: Connection,
  target: Target,
  request: HistoryRequest,
): AsyncGenerator<HistoryItem, string | undefined> {
  const { path, query } = pathOf(target, request);
  for (;;) {
    const page = await connection.askInput('GET', `${path}?${query}`);
    yield* (page.items ?? []) as unknown as readonly HistoryItem[];
    const { continue: next = '' } = page.metadata as { readonly continue?: string };
    if (next === '') return ENDS[String(page.end)];
    query.set('continue', next);
  }
}

function pathOf({ object, collection }: Target, request: HistoryRequest) {
  const query = new URLSearchParams({ limit: String(request.limit) });
  if (request.all) query.set('all', 'true');
  if (request.states) query.set('states', 'true');
  if (object !== undefined) return { path: `${object.path}/history`, query };
  const { namespace, resource } = collection;
  query.set('fieldSelector', `resource=${resource}`);
  if (request.selector !== undefined) query.set('labelSelector', request.selector);
  if (request.since !== undefined) query.set('since', request.since);
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return { path: `/apis/winnow.dev/v1${within}/histories`, query };
}
