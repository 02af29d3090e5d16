import type { FieldError } from '../../selectors/index.ts';
import { badRequest, invalid } from '../status/index.ts';
import { isTrue } from './route.ts';

/** `resourceVersion` of a query: undefined when absent, 0 meaning "any". */
export function readVersion(query: URLSearchParams): number | undefined {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return undefined;
  const rv = parseVersion(text);
  if (rv === undefined) {
    throw badRequest(
      `invalid resource version: Invalid value: ${JSON.stringify(text)}: must be an unsigned integer`,
    );
  }
  return rv;
}

/** An unsigned decimal integer that a number can hold exactly, else undefined. */
export function parseVersion(text: string): number | undefined {
  const rv = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(rv) ? rv : undefined;
}

/** A whole number ≥ 0 of a query, 0 when absent. */
export function readCount(query: URLSearchParams, parameter: string): number {
  const text = query.get(parameter) ?? '';
  if (!/^\d{0,15}$/.test(text)) {
    throw badRequest(`invalid ${parameter}: ${JSON.stringify(text)} is not an integer of 0 or more`);
  }
  return Number(text);
}

/** Whether the write is a rehearsal. Any value of `dryRun` but `All` is refused, as upstream. */
export function readDryRun(
  values: readonly string[],
  options: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
): boolean {
  const asked = values.filter((value) => value !== '');
  if (asked.some((value) => value !== 'All')) {
    const error: FieldError = {
      type: 'NotSupported',
      field: 'dryRun',
      value: asked,
      detail: 'supported values: "All"',
    };
    throw invalid({ group: 'meta.k8s.io', kind: options }, '', [error]);
  }
  return asked.length > 0;
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
    errors.push(forbidden('resourceVersionMatch "Exact" is forbidden for resourceVersion "0"'));
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
