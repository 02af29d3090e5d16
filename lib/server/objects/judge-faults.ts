import { MOST_FAULTS } from '../../kubernetes/fields/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldValidation } from '../http/index.ts';
import { badRequest } from '../status/index.ts';
import type { DecodedObject } from './decoded-object.ts';

/** The warnings for the first {@link MOST_FAULTS} of an object's faults. @throws {ApiError} 400 in `Strict` */
export function judgeFaults(
  { faults: found, yamlFaults }: Pick<DecodedObject, 'faults' | 'yamlFaults'>,
  { kind, version }: ResourceType,
  validation: FieldValidation,
): readonly string[] {
  const faults = found.slice(0, MOST_FAULTS);
  const yaml = yamlFaults.length === 0 ? [] : [['yaml: unmarshal errors:', ...yamlFaults].join('\n  ')];
  const strict = [...yaml, ...faults];
  if (validation === 'Strict' && strict.length > 0) {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: ${strictError(strict)}`,
    );
  }
  return validation === 'Warn' ? [...yamlFaults, ...faults] : [];
}

export function strictError(faults: readonly string[]): string {
  return `strict decoding error: ${faults.slice(0, MOST_FAULTS).join(', ')}`;
}
