import { type Call, collectionOfCall, readTime } from '../http/index.ts';

/**
 * The resourceVersion of a LIST with `?at=`: the newest one that was written by that time. Undefined without the
 * parameter.
 *
 * @throws ApiError 400 the time is invalid
 * @throws {GoneError} the journal does not reach back so far
 */
export async function versionAt(call: Call): Promise<number | undefined> {
  const { options, request } = call;
  const time = await readTime(request.query, 'at', options.clock.now());
  return time === undefined ? undefined : options.store.versionAt(collectionOfCall(call), time);
}
