import { type JsonObject, metadataOf, objectAt } from '../../store/index.ts';

import type { TypeRules } from './type-rules.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * A namespace carries its name as a label, and the finalizer that reconcile takes away when it has emptied a
 * terminating one. Clients change neither.
 */
export const namespaceRules: TypeRules = {
  read: (body) => (metadataOf(body).name === undefined ? body : withNameLabel(body)),
  prepare: ({ status, ...body }, old) => {
    const finalizers = old === undefined ? ['kubernetes'] : (specOf(old).finalizers ?? []);
    return {
      ...withNameLabel(body),
      spec: { ...specOf(body), finalizers },
      ...(status === undefined ? {} : { status }),
    };
  },
  initialStatus: { phase: 'Active' },
  mayGo: (body) => {
    const { finalizers } = specOf(body);
    return !Array.isArray(finalizers) || finalizers.length === 0;
  },
};

function withNameLabel(body: JsonObject): JsonObject {
  const metadata = metadataOf(body);
  const labels = objectAt(metadata.labels);
  return { ...body, metadata: { ...metadata, labels: { ...labels, [NAME_LABEL]: metadata.name ?? '' } } };
}

function specOf({ spec }: JsonObject): JsonObject {
  return objectAt(spec);
}
