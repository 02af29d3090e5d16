import { jsonSizeOf } from '../../json/index.ts';
import { MEMORY, mapBounded } from '../../platform/index.ts';
import { eachPage, type ObjectState, toObject, type WriteOutcome } from '../../store/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  isTooLong,
  refuseListOptions,
  selectionOf,
} from '../http/index.ts';
import { presenterOf } from '../show/index.ts';
import { ApiError, badRequest, mapError, successStatus } from '../status/index.ts';
import { removeObject } from './delete-object.ts';
import { type DeleteOptions, deletionWarnings, readDeleteOptions } from './removal/index.ts';

/** The number of concurrent deletions. */
const SIDE_BY_SIDE = 10;

/** DELETE of a collection: deletes each selected object like a DELETE of that object. Answers the deleted objects. */
export async function deleteCollection(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type } = route;
  const present = await presenterOf(call);
  refuseListOptions(request.query, 'list');
  if (request.query.has('at')) {
    throw badRequest('at is not allowed with DELETE: only objects of the latest state can be deleted');
  }
  const wanted = await readDeleteOptions(call);
  const { rv, items } = await namesOf(call);
  const { count, objects } = await removeAll(call, items, wanted);
  // The objects are deleted already, so an answer that is too long becomes a short one instead of an error.
  const short = successStatus({ group: type.group || undefined, kind: type.resource });
  const warnings = deletionWarnings(type, wanted);
  if (objects.length < count) return { status: 200, value: short, warnings };
  const value = present.list(objects.map(toObject), { resourceVersion: String(rv) });
  const fits = !isTooLong(JSON.stringify(value), options.maximumBytes);
  return { status: 200, value: fits ? value : short, warnings };
}

/** The name of an object, and the uid that tells it from others of that name. */
type Named = Pick<ObjectState, 'name' | 'uid'>;

/** The names and uids of the selected objects. The whole objects may not fit in memory. */
async function namesOf(call: Call): Promise<{ rv: number; items: Named[] }> {
  const { options, request, route } = call;
  const selected = { ...selectionOf(route, request.query), mostHeap: MEMORY.page };
  const items: Named[] = [];
  let rv = 0;
  for await (const page of eachPage(options.store, collectionOfCall(call), selected)) {
    rv = page.rv;
    for (const { name, uid } of page.items) items.push({ name, uid });
  }
  return { rv, items };
}

interface Removed {
  readonly count: number;
  /** In the order of their names. Incomplete if they take more memory than an answer may. */
  readonly objects: readonly ObjectState[];
}

/**
 * Deletes a few objects at a time. After a failure it starts no further deletion, waits for the running deletions, and
 * throws the failure.
 */
async function removeAll(call: Call, items: readonly Named[], wanted: DeleteOptions): Promise<Removed> {
  const failures: unknown[] = [];
  let count = 0;
  let heap = 0;
  const removed = await mapBounded(items, SIDE_BY_SIDE, async (item) => {
    try {
      const outcome = failures.length === 0 ? await remove(call, item, wanted) : undefined;
      count += outcome === undefined ? 0 : 1;
      heap += outcome?.before === undefined ? 0 : jsonSizeOf(outcome.before.body).heap;
      return heap <= MEMORY.page ? outcome?.before : undefined;
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  });
  if (failures.length > 0) throw failureOf(call, failures[0], { count, of: items.length });
  return { count, objects: removed.filter((state) => state !== undefined) };
}

/** The error of a failed request. Deleted objects stay deleted, so the message contains their number. */
function failureOf({ options, route }: Call, error: unknown, progress: Progress): ApiError {
  const mapped = mapError(error, { logger: options.logger, type: route.type });
  if (progress.count === 0) return mapped;
  const { code, reason, message, details } = mapped;
  return new ApiError(code, reason, `${message}; ${progress.count} of ${progress.of} were deleted`, details);
}

interface Progress {
  readonly count: number;
  readonly of: number;
}

/** Deletes one object. Returns undefined if another writer deleted or replaced it first. */
async function remove(call: Call, item: Named, wanted: DeleteOptions): Promise<WriteOutcome | undefined> {
  try {
    return await removeObject(call, item.name, { uid: item.uid, ...wanted });
  } catch (error) {
    const replaced = wanted.uid === undefined && wanted.resourceVersion === undefined;
    if (
      error instanceof ApiError &&
      (error.reason === 'NotFound' || (error.reason === 'Conflict' && replaced))
    ) {
      return undefined;
    }
    throw error;
  }
}
