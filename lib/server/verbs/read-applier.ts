import type { FieldError } from '../../selectors/index.ts';
import { type ApiRequest, isTrue, managerErrors, refuseOptions } from '../http/index.ts';

/** The field manager of an apply, and whether it forces conflicts. @throws ApiError 422 it is missing or invalid */
export function readApplier({ query }: ApiRequest): { readonly manager: string; readonly force: boolean } {
  const manager = query.get('fieldManager') ?? '';
  const detail = 'is required for apply patch';
  const missing: FieldError[] = manager === '' ? [{ type: 'Required', field: 'fieldManager', detail }] : [];
  refuseOptions('PatchOptions', [...missing, ...managerErrors(manager)]);
  return { manager, force: isTrue(query.get('force')) };
}
