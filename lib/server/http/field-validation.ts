import { invalid } from '../status/index.ts';

/** How the server treats unknown and duplicate fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

const VALUES: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** Reads `fieldValidation` of a query; the default is `Warn`. @throws ApiError 422 */
export function readFieldValidation(
  query: URLSearchParams,
  options: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): FieldValidation {
  const value = query.get('fieldValidation') ?? '';
  if (value === '') return 'Warn';
  const known = VALUES.find((one) => one === value);
  if (known !== undefined) return known;
  const detail = 'supported values: "", "Ignore", "Strict", "Warn"';
  throw invalid({ group: 'meta.k8s.io', kind: options }, '', [
    { type: 'NotSupported', field: 'fieldValidation', value, detail },
  ]);
}
