import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../status/index.ts';
import { isTrue } from './route.ts';

/** Parses an unsigned decimal integer that a number can hold exactly; undefined if it is not one. */
export function parseVersion(text: string): number | undefined {
  const rv = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(rv) ? rv : undefined;
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

/** Whether a watch is to begin with a list that a bookmark ends: a WatchList. */
export function isWatchList(query: URLSearchParams): boolean {
  return isTrue(query.get('sendInitialEvents')) && isTrue(query.get('allowWatchBookmarks'));
}
