import { type FieldRequirement, parseFieldSelector } from '../../selectors/index.ts';
import { badRequest } from '../status/index.ts';

/** The collection of a request for `histories`, from its field selector. */
export interface HistoryTarget {
  /** `''` is the core group. */
  readonly group: string;
  readonly resource: string;
  /** The rest of the field selector, which selects among the collection's objects. */
  readonly fields: string;
}

const FIELD = 'resource';
const HOW = 'name one resource, such as resource=pods or resource=deployments.apps';

/**
 * Reads the resource that the field selector names, as kubectl writes resources: `pods`, `deployments.apps`.
 * Authorization and the verb use the same function, so the collection that is read is the one that was allowed.
 *
 * @throws ApiError 400 the field selector names no resource, or several
 * @throws {SelectorError}
 */
export function readHistoryTarget(query: URLSearchParams): HistoryTarget {
  const { requirements } = parseFieldSelector(query.get('fieldSelector') ?? '');
  const named = requirements.filter(({ field }) => field === FIELD);
  const [only] = named;
  if (only === undefined) throw badRequest(`fieldSelector: ${FIELD} is required: ${HOW}`);
  if (named.length > 1 || only.operator !== '=' || only.value === '') {
    const given = named.map(({ operator, value }) => `${FIELD}${operator}${value}`).join(',');
    throw badRequest(`fieldSelector: invalid ${JSON.stringify(given)}: ${HOW}`);
  }
  const [resource = '', ...group] = only.value.split('.');
  const others = requirements.filter(({ field }) => field !== FIELD);
  return { resource, group: group.join('.'), fields: others.map(textOf).join(',') };
}

const textOf = ({ field, operator, value }: FieldRequirement) =>
  `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`;
