import { type JsonObject, type JsonValue, jsonEquals, metadataOf, objectAt } from '../../json/index.ts';
import type { FilterRuleName } from '../../placement/index.ts';
import type { WorldChange } from '../../server/index.ts';

/** Rules by which a change may let a pod in that they refused. `all`: whatever refused it. */
export type HelpedRules = ReadonlySet<FilterRuleName> | 'all';

const NONE: HelpedRules = new Set();
/** A pod that came may be the one that an affinity asks for, or one to even a spread out. */
const CAME: HelpedRules = new Set(['InterPodAffinity', 'PodTopologySpread']);
const WENT: HelpedRules = new Set(['NodeResourcesFit', 'NodePorts', 'InterPodAffinity', 'PodTopologySpread']);
/** With a node go its pods, and a domain. */
const NODE_WENT: HelpedRules = new Set(['InterPodAffinity', 'PodTopologySpread']);
const NAMESPACE: HelpedRules = new Set(['InterPodAffinity']);

/** What each part of a node is asked for. */
const OF_NODES: readonly (readonly [part: (node: JsonObject) => JsonValue, FilterRuleName[]])[] = [
  [({ metadata }) => part(metadata, 'labels'), ['NodeAffinity', 'InterPodAffinity', 'PodTopologySpread']],
  [({ spec }) => part(spec, 'taints'), ['TaintToleration', 'PodTopologySpread']],
  [({ spec }) => part(spec, 'unschedulable'), ['NodeUnschedulable', 'TaintToleration', 'PodTopologySpread']],
  [({ status }) => part(status, 'allocatable'), ['NodeResourcesFit']],
];

/**
 * Which refusals a change could end. A node is refused by the first rule that does; so a pod for which none of its
 * nodes' refusing rules is helped finds no node by that change, and need not be tried again.
 */
export function helpedRules({ kind, before, after }: WorldChange): HelpedRules {
  switch (kind) {
    case 'Node':
      return ofNode(before?.body, after?.body);
    case 'Pod':
      return ofPod(before?.body, after?.body);
    case 'Namespace':
      return jsonEquals(labelsOf(before?.body), labelsOf(after?.body)) && before && after ? NONE : NAMESPACE;
    default:
      // By Services and controllers pods are spread that say nothing of it, which refuses no node.
      return NONE;
  }
}

function ofNode(before: JsonObject | undefined, after: JsonObject | undefined): HelpedRules {
  if (after === undefined) return NODE_WENT;
  if (before === undefined) return 'all';
  const changed = OF_NODES.filter(([read]) => !jsonEquals(read(before), read(after)));
  return new Set(changed.flatMap(([, rules]) => rules));
}

function ofPod(before: JsonObject | undefined, after: JsonObject | undefined): HelpedRules {
  const [was, is] = [counts(before), counts(after)];
  if (!was) return is ? CAME : NONE;
  if (!is || before === undefined || after === undefined) return WENT;
  return jsonEquals(countedOf(before), countedOf(after)) ? NONE : WENT;
}

/** Whether a pod counts for others: it has a node, or the promise of one, and has not ended. */
function counts(pod: JsonObject | undefined): boolean {
  const { nodeName = '' } = objectAt(pod?.spec);
  const { nominatedNodeName = '', phase } = objectAt(pod?.status);
  return (nodeName || nominatedNodeName) !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}

/** What counts of it. Of its status that is how much it has been given, and the promise; the rest is its own affair. */
function countedOf({ metadata, spec = null, status }: JsonObject): JsonObject {
  return {
    spec,
    labels: part(metadata, 'labels'),
    isLeaving: objectAt(metadata).deletionTimestamp !== undefined,
    nominated: part(status, 'nominatedNodeName'),
    resize: listAt(status, 'conditions').find(({ type }) => type === 'PodResizePending')?.reason ?? null,
    given: ['containerStatuses', 'initContainerStatuses'].flatMap((field) =>
      listAt(status, field).map(({ name = null, resources = null, allocatedResources = null }) => [
        name,
        resources,
        allocatedResources,
      ]),
    ),
  };
}

function labelsOf(object: JsonObject | undefined): JsonValue {
  return object === undefined ? null : (metadataOf(object).labels ?? null);
}

function part(value: JsonValue | undefined, field: string): JsonValue {
  return objectAt(value)[field] ?? null;
}

function listAt(value: JsonValue | undefined, field: string): JsonObject[] {
  const list = objectAt(value)[field];
  return Array.isArray(list) ? list.map(objectAt) : [];
}
