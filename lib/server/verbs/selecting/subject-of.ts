import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import type { SelectableObject } from '../../../kubernetes/carriers/index.ts';
import { NAMESPACES } from '../../../kubernetes/lifecycle/index.ts';
import { readField } from '../../../kubernetes/resource-types/index.ts';
import type { Labels } from '../../../selectors/index.ts';
import type { Store } from '../../../store/index.ts';

/** The parts of an object that selectors read. The namespace is `''` for a cluster-scoped object. */
export function subjectOf(
  body: JsonObject,
  namespace: string,
  namespaceLabels: Labels | undefined,
): SelectableObject {
  const { labels, name } = metadataOf(body);
  return {
    namespace,
    labels: objectAt(labels) as Labels,
    readField: (field) => {
      if (field === 'metadata.name') return String(name ?? '');
      return field === 'metadata.namespace' ? namespace : readField(body, field);
    },
    ...(namespaceLabels !== undefined && { namespaceLabels }),
  };
}

/** The labels of a namespace; undefined if it does not exist. */
export async function labelsOfNamespace(store: Store, name: string): Promise<Labels | undefined> {
  if (name === '') return undefined;
  return (await store.get(NAMESPACES, { namespace: '', name }))?.labels;
}
