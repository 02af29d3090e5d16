import { type Collection, type JsonObject, valueAt } from '../../json/index.ts';
import { everyField, everything, nothing, type Selector } from '../../selectors/index.ts';
import { networkPeerSelections } from './network-peer-selections.ts';
import { nodeMapSelections, nodeSelectorSelections, podNodeSelections } from './node-selections.ts';
import { podAffinitySelections } from './pod-affinity-selections.ts';
import { isNothing, readSelector } from './read-selector.ts';
import type { Selection } from './selection.ts';
import { subscriptionSelections } from './subscription-selections.ts';
import { POD_SPEC_FIELDS, type SelectorField, WORKLOAD_FIELDS } from './workload-fields.ts';

/** An object of a built-in kind. */
export interface BuiltinCarrier {
  readonly collection: Collection;
  /** `''` in cluster scope. */
  readonly namespace: string;
  readonly body: JsonObject;
}

/**
 * Returns all selections of an object, the selector of its own pods first. Empty if its kind carries no selectors, or
 * if the object has none that can be parsed.
 */
export function selectionsOf({ collection, namespace, body }: BuiltinCarrier): readonly Selection[] {
  const own = WORKLOAD_FIELDS[collection];
  const pods = POD_SPEC_FIELDS[collection];
  const spec = pods === undefined ? undefined : valueAt(body, pods);
  return [
    ...(own === undefined || isAlias(collection, body) ? [] : ownSelections(body, namespace, own)),
    ...othersOf(collection, namespace, body),
    ...(pods === undefined ? [] : podNodeSelections(spec, pods)),
    ...(pods === undefined ? [] : podAffinitySelections(spec, pods, namespace)),
  ];
}

function ownSelections(body: JsonObject, namespace: string, field: SelectorField): readonly Selection[] {
  const selector = selectorAt(body, field);
  if (isNothing(selector)) return [];
  return [{ path: field.path, target: 'core/pods', namespaces: [namespace], selector, fields: everyField }];
}

/** Whether it is a Service of type ExternalName, an alias of a host. Its pod selector is ignored. */
function isAlias(collection: Collection, body: JsonObject): boolean {
  return collection === 'core/services' && valueAt(body, 'spec.type') === 'ExternalName';
}

/** Returns the selector at a field. A selector that cannot be parsed does not count as empty. */
function selectorAt(body: JsonObject, { path, form, absent, empty }: SelectorField): Selector {
  const value = valueAt(body, path);
  if (value === undefined || value === null) return absent === 'everything' ? everything : nothing;
  const selector = readSelector(value, form);
  return selector.isEmpty && empty === 'nothing' ? nothing : selector;
}

function othersOf(collection: Collection, namespace: string, body: JsonObject): readonly Selection[] {
  switch (collection) {
    case 'networking.k8s.io/networkpolicies':
      return networkPeerSelections(body, namespace);
    case 'winnow.dev/subscriptions':
    case 'winnow.dev/tallies':
      return subscriptionSelections(body, namespace);
    case 'core/persistentvolumes':
      return nodeSelectorSelections(
        valueAt(body, 'spec.nodeAffinity.required'),
        'spec.nodeAffinity.required',
      );
    case 'node.k8s.io/runtimeclasses':
      return nodeMapSelections(valueAt(body, 'scheduling.nodeSelector'), 'scheduling.nodeSelector');
    default:
      return [];
  }
}
