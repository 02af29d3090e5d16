import { labelKeyErrors } from '../../../selectors/index.ts';
import { badRequest } from '../../status/index.ts';

/** The limits of label keys in a request. */
const MOST_KEYS = 16;
const MOST_JOINT_KEYS = 4;
/** The value of `facets` that counts every label key. */
const EVERY_KEY = '*';

/** The counts that a request asks for. */
export interface FacetsRequest {
  /** The label keys to count; undefined means every key. */
  readonly keys: readonly string[] | undefined;
  /** Whether to count the combinations of the keys' values, too. */
  readonly isJoint: boolean;
}

/**
 * Reads the parameters `facets` and `joint`.
 *
 * @throws ApiError 400 the label keys are missing, too many or invalid
 */
export function readFacets(query: URLSearchParams): FacetsRequest {
  const isJoint = readJoint(query.get('joint') ?? '');
  const text = query.get('facets') ?? '';
  const keys = [...new Set(text.split(',').filter((key) => key !== ''))];
  if (isJoint && (keys.length < 2 || keys.length > MOST_JOINT_KEYS)) {
    throw badRequest(
      `joint: name 2 to ${MOST_JOINT_KEYS} label keys in facets, for example facets=environment,tier`,
    );
  }
  if (text === EVERY_KEY) return { keys: undefined, isJoint };
  if (keys.length === 0) {
    throw badRequest('facets: name one or more label keys, for example facets=environment,tier, or facets=*');
  }
  if (keys.length > MOST_KEYS) {
    throw badRequest(`facets: the request names ${keys.length} label keys, the limit is ${MOST_KEYS}`);
  }
  for (const key of keys) {
    const [fault] = labelKeyErrors(key);
    if (fault !== undefined) {
      throw badRequest(`facets: ${JSON.stringify(key)} is not a valid label key: ${fault}`);
    }
  }
  return { keys, isJoint };
}

function readJoint(text: string): boolean {
  if (['', 'false', '0'].includes(text)) return false;
  if (['true', '1'].includes(text)) return true;
  throw badRequest(`joint: ${JSON.stringify(text)} is neither true nor false`);
}
