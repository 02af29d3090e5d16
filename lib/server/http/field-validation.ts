import { invalid } from '../status/index.ts';

/** What becomes of an object with fields that there are not, or that are there twice. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

const VALUES: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** `fieldValidation` of a query; `Warn` where it is not said. @throws ApiError 422 */
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
