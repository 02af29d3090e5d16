import { collectionOf, type JsonObject, jsonEquals, metadataOf, objectAt } from '../../json/index.ts';
import { loadExpressions } from '../../kubernetes/admission-policies/index.ts';
import { loadFields } from '../../kubernetes/fields/index.ts';
import { isBuiltinGroup, type ResourceType, resourceTypes } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { type CustomTypes, storeWith } from '../registry/index.ts';
import { groupIn, paramKindOf } from './params.ts';

const POLICIES = collectionOf('admissionregistration.k8s.io', 'validatingadmissionpolicies');

/**
 * Wraps the store for writes of ValidatingAdmissionPolicies. The status of a policy tells which expressions do not fit
 * the types of the objects that it matches. kube-controller-manager computes it later; Winnow does so with the write.
 * As there, a kind that is not served yet is not checked, and the next change of the policy checks it.
 */
export function typeCheckingStore(given: Store, types: CustomTypes): Store {
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      if (collection !== POLICIES) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined) => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const { body } = mutation;
        const isKept = current !== undefined && jsonEquals(body.spec ?? null, current.body.spec ?? null);
        if (isKept) return mutation;
        return { ...mutation, body: { ...body, status: await checkedStatus(body, { store, types }) } };
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

interface Served {
  readonly store: Store;
  readonly types: CustomTypes;
}

async function checkedStatus(body: JsonObject, served: Served): Promise<JsonObject> {
  const { servesAll, typeWarnings } = await import('../../kubernetes/admission-policies/type-checking.ts');
  const [fields, expressions] = await Promise.all([loadFields(), loadExpressions()]);
  const isBuiltin = servesAll(body, resourceTypes) && isBuiltinGroup(groupIn(paramKindOf(body)));
  const custom = isBuiltin ? [] : (await served.types.current(served.store)).types;
  const expressionWarnings = typeWarnings(body, {
    types: [...resourceTypes, ...custom],
    fieldsOf: ({ group, version, kind }) => {
      const isIt = (type: ResourceType) =>
        type.group === group && type.version === version && type.kind === kind;
      const schema = custom.find(isIt)?.custom?.schema;
      if (schema !== undefined) return { schema, metadata: fields.message('meta.v1.ObjectMeta') };
      return fields.kind(group === '' ? version : `${group}/${version}`, kind);
    },
    expressions,
  }).map((warning) => ({ ...warning }));
  return {
    ...objectAt(body.status),
    observedGeneration: Number(metadataOf(body).generation ?? 1),
    typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
  };
}
