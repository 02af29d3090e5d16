import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../json/index.ts';
import { loadExpressions } from '../../../kubernetes/admission-policies/index.ts';
import { servesAll, typeWarnings } from '../../../kubernetes/admission-policies/type-checking.ts';
import { loadFields } from '../../../kubernetes/fields/index.ts';
import { resourceTypes } from '../../../kubernetes/resource-types/index.ts';
import type { TypeRules } from './rules.ts';

/**
 * The rules of ValidatingAdmissionPolicies. Their status tells which expressions do not fit the types of the objects that
 * the policy matches. kube-controller-manager computes it later; Winnow does so with the write. It does not know the
 * kinds of clients here, and leaves the status of a policy that matches one to a controller.
 */
export const admissionPolicyRules: Pick<Required<TypeRules>, 'prepare'> = {
  prepare: async (body, old, subresource = '') => {
    if (subresource !== '') return body;
    if (old !== undefined && jsonEquals(body.spec ?? null, old.spec ?? null)) return body;
    return servesAll(body, resourceTypes) ? { ...body, status: await checkedStatus(body, old) } : body;
  },
};

async function checkedStatus(body: JsonObject, old: JsonObject | undefined): Promise<JsonObject> {
  const [fields, expressions] = await Promise.all([loadFields(), loadExpressions()]);
  const expressionWarnings = typeWarnings(body, {
    types: resourceTypes,
    fieldsOf: ({ group, version, kind }) => fields.kind(group === '' ? version : `${group}/${version}`, kind),
    expressions,
  }).map((warning) => ({ ...warning }));
  return {
    ...objectAt(body.status),
    observedGeneration: old === undefined ? 1 : Number(metadataOf(old).generation ?? 0) + 1,
    typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
  };
}
