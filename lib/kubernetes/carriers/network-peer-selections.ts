import { isJsonObject, type JsonValue, valueAt } from '../../json/index.ts';
import { everyField, everything } from '../../selectors/index.ts';
import { isNothing, readSelector } from './read-selector.ts';
import type { Selection } from './selection.ts';

/**
 * Returns the pods that a NetworkPolicy allows as peers: the peers of its rules that select pods or namespaces. A
 * rule without peers allows all traffic and carries no selector; a peer with addresses carries none either.
 */
export function networkPeerSelections(body: JsonValue, namespace: string): readonly Selection[] {
  return [
    ...peersOf(body, 'spec.ingress', 'from', namespace),
    ...peersOf(body, 'spec.egress', 'to', namespace),
  ];
}

function peersOf(body: JsonValue, field: string, side: string, namespace: string): readonly Selection[] {
  return listAt(body, field).flatMap((rule, ruleIndex) =>
    listAt(rule, side).flatMap((peer, index) => {
      const selection = selectionOf(peer, `${field}[${ruleIndex}].${side}[${index}]`, namespace);
      return selection === undefined ? [] : [selection];
    }),
  );
}

/**
 * Returns the selection of one peer. A pod selector alone covers the policy's namespace; a namespace selector alone
 * covers all pods in the matching namespaces.
 */
function selectionOf(peer: JsonValue, path: string, namespace: string): Selection | undefined {
  const pods = valueAt(peer, 'podSelector');
  const namespaces = valueAt(peer, 'namespaceSelector');
  if (!isJsonObject(pods) && !isJsonObject(namespaces)) return undefined;
  const selector = isJsonObject(pods) ? readSelector(pods, 'labelSelector') : everything;
  const asked = { path, target: 'core/pods', selector, fields: everyField } as const;
  if (isNothing(selector)) return undefined;
  if (!isJsonObject(namespaces)) return { ...asked, namespaces: [namespace] };
  const namespaceSelector = readSelector(namespaces, 'labelSelector');
  return isNothing(namespaceSelector) ? undefined : { ...asked, namespaceSelector };
}

function listAt(value: JsonValue, path: string): readonly JsonValue[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}
