import { type Call, collectionOfCall, readTime } from '../http/index.ts';
import { badRequest } from '../status/index.ts';

/** The parameters that name another state. */
const OTHERS = ['resourceVersion', 'continue'];

/**
 * The resourceVersion of a LIST with `?at=`: the newest one that was written by that time. Undefined without the
 * parameter. Loaded with the first such LIST.
 *
 * @throws ApiError 400 the time is invalid, or another parameter names another state
 * @throws {GoneError} the journal does not reach back so far
 */
export async function versionAt(call: Call): Promise<number | undefined> {
  const { options, request, route } = call;
  const { query } = request;
  const time = readTime(query, 'at', options.clock.now());
  if (time === undefined) return undefined;
  const other = route.verb === 'watch' ? 'watch' : OTHERS.find((one) => (query.get(one) ?? '') !== '');
  if (other !== undefined) throw badRequest(`at is not allowed with ${other}: name one state`);
  return options.store.versionAt(collectionOfCall(call), time);
}
