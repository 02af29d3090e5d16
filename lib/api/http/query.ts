import type { FieldError } from '../../selectors/index.ts';
import { badRequest, invalid } from '../status/index.ts';
import { isTrue } from './route.ts';

const MOST_UNSIGNED = 2n ** 64n - 1n;
const MOST_SIGNED = 2n ** 63n - 1n;

/** `resourceVersion` of a query: undefined when absent, 0 meaning "any". */
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

/** An unsigned decimal integer that a number can hold exactly, else undefined. */
export function parseVersion(text: string): number | undefined {
  const rv = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(rv) ? rv : undefined;
}

/** A whole number of a query; 0 where it is absent, or below 0, which ask for nothing either. */
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

/** Whether the write is a rehearsal. Any value of `dryRun` but `All` is refused, also an empty one, as upstream. */
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

/** The options of a LIST or WATCH that contradict each other: the rules of upstream's ValidateListOptions. */
export function refuseListOptions(query: URLSearchParams, watch: boolean): void {
  const errors = [...matchErrors(query, watch), ...initialEventsErrors(query, watch)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

function matchErrors(query: URLSearchParams, watch: boolean): FieldError[] {
  const field = 'resourceVersionMatch';
  const match = query.get(field) ?? '';
  if (match === '') return [];
  const forbidden = (detail: string): FieldError => ({ type: 'Forbidden', field, detail });
  const errors: FieldError[] = [];
  // With sendInitialEvents it belongs there, and that is refused for itself.
  if (watch && !query.has('sendInitialEvents')) {
    errors.push(forbidden('resourceVersionMatch is forbidden for watch'));
  }
  if ((query.get('resourceVersion') ?? '') === '') {
    errors.push(forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if ((query.get('continue') ?? '') !== '') {
    errors.push(forbidden('resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const detail = 'supported values: "Exact", "NotOlderThan", ""';
    errors.push({ type: 'NotSupported', field, value: match, detail });
  }
  if (match === 'Exact' && query.get('resourceVersion') === '0') {
    errors.push(forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

/** Ignoring it would leave reflectors waiting for a bookmark that never comes; refused, they LIST instead. */
function initialEventsErrors(query: URLSearchParams, watch: boolean): FieldError[] {
  if (!query.has('sendInitialEvents') || (watch && !isTrue(query.get('sendInitialEvents')))) return [];
  const detail = watch
    ? 'sendInitialEvents is not supported: list, then watch from the resourceVersion of the list'
    : 'sendInitialEvents is forbidden for list';
  return [{ type: 'Forbidden', field: 'sendInitialEvents', detail }];
}
