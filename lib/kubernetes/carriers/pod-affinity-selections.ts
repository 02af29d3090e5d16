import { isJsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import { everyField } from '../../selectors/index.ts';
import { isNothing, readSelector } from './read-selector.ts';
import type { Selection } from './selection.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PODS = 'core/pods';

/**
 * Returns the pods that a pod with this spec must run near or must not run near: the required terms of `podAffinity`
 * and `podAntiAffinity`. A term without a labelSelector matches no pods. A term covers the namespaces that it lists
 * and those that its namespaceSelector matches. With neither, it covers its own namespace.
 */
export function podAffinitySelections(
  spec: JsonValue | undefined,
  path: string,
  namespace: string,
): readonly Selection[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((part) => {
    const field = `affinity.${part}.${REQUIRED}`;
    const listed = valueAt(spec, field);
    const terms = Array.isArray(listed) ? listed : [];
    return terms.flatMap((one, index) => termSelections(one, `${path}.${field}[${index}]`, namespace));
  });
}

function termSelections(term: JsonValue, path: string, namespace: string): readonly Selection[] {
  const selector = readSelector(valueAt(term, 'labelSelector'), 'labelSelector');
  if (isNothing(selector)) return [];
  const asked = { target: PODS, selector, fields: everyField } as const;
  const listed = valueAt(term, 'namespaces');
  const names = Array.isArray(listed) ? listed.map(String) : [];
  const others = valueAt(term, 'namespaceSelector');
  if (!isJsonObject(others)) {
    return [{ ...asked, path, namespaces: names.length === 0 ? [namespace] : names }];
  }
  const namespaceSelector = readSelector(others, 'labelSelector');
  return [
    ...(names.length === 0 ? [] : [{ ...asked, path: `${path}.namespaces`, namespaces: names }]),
    ...(isNothing(namespaceSelector) ? [] : [{ ...asked, path, namespaceSelector }]),
  ];
}
