import type { FieldError } from '../../selectors/index.ts';
import { badRequest, invalid } from '../status/index.ts';
import { isTrue } from './route.ts';

/** The options of reads. They are apart from those of writes, so that processes that only write do not load them. */

const MOST_UNSIGNED = 2n ** 64n - 1n;
const MOST_SIGNED = 2n ** 63n - 1n;

/**
 * Reads `resourceVersion` of a query: undefined if absent, 0 for any version.
 *
 * @throws ApiError 400
 */
export function readVersion(query: URLSearchParams): number | undefined {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return undefined;
  const fault = /^\d+$/.test(text) ? BigInt(text) > MOST_UNSIGNED && 'value out of range' : 'invalid syntax';
  if (fault !== false) {
    const shown = JSON.stringify(text);
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${fault}`,
    );
  }
  return Number(text);
}

/** Reads an integer of a query; 0 if it is absent or negative. @throws ApiError 400 */
export function readCount(query: URLSearchParams, parameter: string): number {
  const text = query.get(parameter);
  if (text === null) return 0;
  const fault = /^[-+]?\d+$/.test(text) ? isBeyond(BigInt(text)) && 'value out of range' : 'invalid syntax';
  if (fault !== false) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${fault}`);
  return Math.max(Number(text), 0);
}

function isBeyond(value: bigint): boolean {
  return value > MOST_SIGNED || value < -MOST_SIGNED - 1n;
}

/** The kind of a LIST or WATCH. A watch with initial events is endless, so its response must stream. */
export type ListKind = 'list' | 'streamed watch' | 'buffered watch';

/**
 * Refuses contradictory options of a LIST or WATCH, by the rules of Kubernetes' ValidateListOptions.
 *
 * @throws ApiError 422
 */
export function refuseListOptions(query: URLSearchParams, kind: ListKind): void {
  const errors = kind === 'list' ? listErrors(query) : watchErrors(query, kind);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

const MATCH = 'resourceVersionMatch';
const INITIAL = 'sendInitialEvents';

function listErrors(query: URLSearchParams): FieldError[] {
  const errors = matchErrors(query);
  if (query.has(INITIAL)) errors.push(forbidden(INITIAL, 'sendInitialEvents is forbidden for list'));
  return errors;
}

function matchErrors(query: URLSearchParams): FieldError[] {
  const match = query.get(MATCH) ?? '';
  if (match === '') return [];
  const errors: FieldError[] = [];
  if ((query.get('resourceVersion') ?? '') === '') {
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (isContinued(query)) errors.push(forbidden(MATCH, CONTINUED));
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const detail = 'supported values: "Exact", "NotOlderThan", ""';
    errors.push({ type: 'NotSupported', field: MATCH, value: match, detail });
  }
  if (match === 'Exact' && query.get('resourceVersion') === '0') {
    errors.push(forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

/**
 * Finds errors in the options of a watch. If `sendInitialEvents` were ignored, reflectors would wait for a bookmark
 * that never comes. If it is refused, they use LIST instead.
 */
function watchErrors(query: URLSearchParams, kind: ListKind): FieldError[] {
  const match = query.get(MATCH) ?? '';
  const errors: FieldError[] = [];
  if (query.has(INITIAL)) {
    if (match !== 'NotOlderThan') {
      errors.push(
        forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      );
    }
    if (kind === 'buffered watch' && isTrue(query.get(INITIAL))) {
      errors.push(
        forbidden(
          INITIAL,
          'sendInitialEvents is not supported for buffered watches: list first, then watch from the resourceVersion of the list',
        ),
      );
    }
  }
  if (match === '') return errors;
  if (!query.has(INITIAL)) {
    errors.push(
      forbidden(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (match !== 'NotOlderThan') {
    errors.push({
      type: 'NotSupported',
      field: MATCH,
      value: match,
      detail: 'supported values: "NotOlderThan"',
    });
  }
  if (isContinued(query)) errors.push(forbidden(MATCH, CONTINUED));
  return errors;
}

const CONTINUED = 'resourceVersionMatch is forbidden when continue is provided';

function isContinued(query: URLSearchParams): boolean {
  return (query.get('continue') ?? '') !== '';
}

function forbidden(field: string, detail: string): FieldError {
  return { type: 'Forbidden', field, detail };
}
