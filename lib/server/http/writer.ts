import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../status/index.ts';
import type { ApiRequest } from './request.ts';

/** The most bytes of a stored manager name. */
const MOST_BYTES = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

type WriteOptions = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/**
 * The field manager of a write: `fieldManager` of the query, or else the client's User-Agent up to the first `/`,
 * without unprintable characters.
 *
 * @throws ApiError 422
 */
export function readManager(request: ApiRequest, options: WriteOptions): string {
  refuseOptions(options, managerErrors(request.query.get('fieldManager') ?? ''));
  return managerOf(request);
}

/** The same without the check. An invalid name counts as absent, for example in a DELETE, which has no such parameter. */
export function managerOf({ query, headers }: ApiRequest): string {
  const manager = query.get('fieldManager') ?? '';
  if (manager !== '' && managerErrors(manager).length === 0) return manager;
  const [client = ''] = (headers['user-agent'] ?? '').split('/');
  return printable(client);
}

/** Refuses `force` in a patch that is not an apply. @throws ApiError 422 */
export function refuseForce(query: URLSearchParams): void {
  const detail = 'may not be specified for non-apply patch';
  refuseOptions('PatchOptions', query.has('force') ? [{ type: 'Forbidden', field: 'force', detail }] : []);
}

/** The errors in the name of a manager. */
export function managerErrors(manager: string): FieldError[] {
  const field = 'fieldManager';
  if (Buffer.byteLength(manager) > MOST_BYTES) {
    return [{ type: 'TooLong', field, detail: `may not be more than ${MOST_BYTES} bytes` }];
  }
  const bad = UNPRINTABLE.exec(manager);
  if (bad === null) return [];
  const code = bad[0].codePointAt(0) ?? 0;
  const at = Buffer.byteLength(manager.slice(0, bad.index));
  const detail = `invalid character U+${code.toString(16).toUpperCase().padStart(4, '0')} (at position ${at})`;
  return [{ type: 'Invalid', field, value: manager, detail }];
}

function printable(text: string): string {
  let kept = '';
  for (const char of text) {
    if (Buffer.byteLength(kept + char) > MOST_BYTES) break;
    if (!UNPRINTABLE.test(char)) kept += char;
  }
  return kept;
}

/** @throws ApiError 422 there are errors */
export function refuseOptions(options: WriteOptions, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: options }, '', errors);
}
