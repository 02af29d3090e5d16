import { mapBounded } from '../../platform/index.ts';
import { type ObjectState, toObject } from '../../store/index.ts';
import {
  type Answer,
  type Call,
  collectionOfCall,
  isTooLong,
  refuseListOptions,
  selectionOf,
} from '../http/index.ts';
import { presenterOf } from '../show/index.ts';
import { ApiError, mapError, successStatus } from '../status/index.ts';
import { removeObject } from './delete-object.ts';
import { type DeleteOptions, readDeleteOptions } from './delete-options.ts';
import { listMetadata } from './list-objects.ts';

/** Deletions under way at the same time. */
const SIDE_BY_SIDE = 10;

/** DELETE of a collection: everything it selects, each as by its own DELETE. Answers what it deleted. */
export async function deleteCollection(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type } = route;
  const present = presenterOf(call);
  refuseListOptions(request.query, false);
  const wanted = readDeleteOptions(call);
  const page = await options.store.list(collectionOfCall(call), selectionOf(route, request.query));
  const deleted = await removeAll(call, page.items, wanted);
  const value = present.list(deleted.map(toObject), listMetadata({ rv: page.rv, items: [] }));
  // What was done was done: too long an answer becomes a short one instead of an error.
  const short = successStatus({ group: type.group || undefined, kind: type.resource });
  return { status: 200, value: isTooLong(JSON.stringify(value), options.maximumBytes) ? short : value };
}

/** A few at a time; the first failure stops the rest, and is told when all that was under way has ended. */
async function removeAll(
  call: Call,
  items: readonly ObjectState[],
  wanted: DeleteOptions,
): Promise<ObjectState[]> {
  const failures: unknown[] = [];
  let count = 0;
  const removed = await mapBounded(items, SIDE_BY_SIDE, async (item) => {
    try {
      const done = failures.length === 0 && (await isRemoved(call, item, wanted));
      count += done ? 1 : 0;
      return done;
    } catch (error) {
      failures.push(error);
      return false;
    }
  });
  if (failures.length > 0) {
    throw withProgress(call, failures[0], `${count} of ${items.length} were deleted`);
  }
  return items.filter((_item, index) => removed[index]);
}

/** What was done stays done, so the refusal says how much that was. */
function withProgress({ options, route }: Call, error: unknown, progress: string): ApiError {
  const { code, reason, message, details } = mapError(error, { logger: options.logger, type: route.type });
  return new ApiError(code, reason, `${message}; ${progress}`, details);
}

/** Whether this request removed it: somebody else may have been faster, or put another in its place. */
async function isRemoved(call: Call, item: ObjectState, wanted: DeleteOptions): Promise<boolean> {
  try {
    await removeObject(call, item.name, { uid: item.uid, ...wanted });
    return true;
  } catch (error) {
    const replaced = wanted.uid === undefined && wanted.resourceVersion === undefined;
    if (
      error instanceof ApiError &&
      (error.reason === 'NotFound' || (error.reason === 'Conflict' && replaced))
    ) {
      return false;
    }
    throw error;
  }
}
