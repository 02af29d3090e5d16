import { metadataOf } from '../../json/index.ts';
import type { AdmissionAttributes } from '../../kubernetes/admission-match/index.ts';
import type { Denial } from '../../kubernetes/admission-policies/index.ts';
import { ApiError } from '../status/index.ts';

/** The error of a write that a policy denies: NewForbidden of kube-apiserver, with the code and reason of the policy. */
export class DenialError extends ApiError {
  constructor(attributes: AdmissionAttributes, denial: Denial) {
    const { group, resource } = attributes.resource;
    const { code, reason, message } = denial;
    const name = nameIn(attributes);
    const qualified = group === '' ? resource : `${resource}.${group}`;
    super(code, reason, `${qualified} ${JSON.stringify(name)} is forbidden: ${message}`, {
      name,
      group: group || undefined,
      kind: resource,
      causes: [{ message }],
    });
  }
}

/** The object's name, or what stands for it before it has one. */
export function nameIn({ name, object }: AdmissionAttributes): string {
  if (name !== '') return name;
  const { name: own = '', generateName = '' } = object === undefined ? {} : metadataOf(object);
  return String(own || generateName || 'Unknown');
}
