import type { FieldError } from '../../selectors/index.ts';
import { badRequest, invalid } from '../status/index.ts';
import { isTrue } from './route.ts';

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

/**
 * Reads a time of a query, in ms since the epoch; undefined if it is absent. Most requests have none, and do not load
 * the code that parses it.
 *
 * @throws ApiError 400
 */
export async function readTime(
  query: URLSearchParams,
  parameter: 'at' | 'since' | 'until',
  now: number,
): Promise<number | undefined> {
  const text = query.get(parameter) ?? '';
  if (text === '') return undefined;
  const { parseTime } = await import('./parse-time.ts');
  return parseTime(text, parameter, now);
}

/** Parses an unsigned decimal integer that a number can hold exactly; undefined if it is not one. */
export function parseVersion(text: string): number | undefined {
  const rv = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(rv) ? rv : undefined;
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

/**
 * Whether the write is a dry run. Any value of `dryRun` except `All` is refused, also an empty one, as in Kubernetes.
 *
 * @throws ApiError 422
 */
export function readDryRun(
  values: readonly string[],
  options: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
): boolean {
  if (values.some((value) => value !== 'All')) {
    const error: FieldError = {
      type: 'NotSupported',
      field: 'dryRun',
      value: values,
      detail: 'supported values: "All"',
    };
    throw invalid({ group: 'meta.k8s.io', kind: options }, '', [error]);
  }
  return values.length > 0;
}

/** The kind of a LIST or WATCH. A watch with initial events is endless, so its response must stream. */
export type ListKind = 'list' | 'streamed watch' | 'buffered watch';

/** Whether a watch is to begin with a list that a bookmark ends: a WatchList. */
export function isWatchList(query: URLSearchParams): boolean {
  return isTrue(query.get('sendInitialEvents')) && isTrue(query.get('allowWatchBookmarks'));
}

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
const AT = 'at';

function listErrors(query: URLSearchParams): FieldError[] {
  const errors = [...matchErrors(query), ...timeErrors(query)];
  if (query.has(INITIAL)) errors.push(forbidden(INITIAL, 'sendInitialEvents is forbidden for list'));
  return errors;
}

/** A list at a time has one resourceVersion, which its pages carry on. */
function timeErrors(query: URLSearchParams): FieldError[] {
  const others = ['resourceVersion', 'continue'].filter((other) => (query.get(other) ?? '') !== '');
  if ((query.get(AT) ?? '') === '') return [];
  return others.map((other) => forbidden(AT, `at is forbidden when ${other} is provided`));
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
  if (query.has(AT)) errors.push(forbidden(AT, 'at is forbidden for watch'));
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
