import { type JsonObject, type JsonValue, jsonEquals, metadataOf, objectAt } from '../../json/index.ts';
import type { FilterRuleName } from '../../placement/index.ts';
import type { WorldChange } from '../../server/index.ts';

/** The filter rules whose refusals a change may end. `all`: every rule. */
export type HelpedRules = ReadonlySet<FilterRuleName> | 'all';

const NONE: HelpedRules = new Set();
/** The rules that a new pod may help: an affinity may ask for this pod, or it may even out a spread. */
const CAME: HelpedRules = new Set(['InterPodAffinity', 'PodTopologySpread']);
const WENT: HelpedRules = new Set(['NodeResourcesFit', 'NodePorts', 'InterPodAffinity', 'PodTopologySpread']);
/** The rules that a removed node may help: its pods and its topology domain are gone. */
const NODE_WENT: HelpedRules = new Set(['InterPodAffinity', 'PodTopologySpread']);
const NAMESPACE: HelpedRules = new Set(['InterPodAffinity']);

/** The parts of a node, and the rules that read each. */
const OF_NODES: readonly (readonly [part: (node: JsonObject) => JsonValue, FilterRuleName[]])[] = [
  [({ metadata }) => part(metadata, 'labels'), ['NodeAffinity', 'InterPodAffinity', 'PodTopologySpread']],
  [({ spec }) => part(spec, 'taints'), ['TaintToleration', 'PodTopologySpread']],
  [({ spec }) => part(spec, 'unschedulable'), ['NodeUnschedulable', 'TaintToleration', 'PodTopologySpread']],
  [({ status }) => part(status, 'allocatable'), ['NodeResourcesFit']],
];

/**
 * The rules whose refusals a change could end. Each node was refused by the first rule that refused it. If the change
 * helps none of the rules that refused a pod's nodes, the pod still finds no node and need not be tried again.
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
      // Services and controllers give pods a default spread constraint, which refuses no node.
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

/** Whether a pod counts for others: it has a node or a nominated node, and has not ended. */
function counts(pod: JsonObject | undefined): boolean {
  const { nodeName = '' } = objectAt(pod?.spec);
  const { nominatedNodeName = '', phase } = objectAt(pod?.status);
  return (nodeName || nominatedNodeName) !== '' && phase !== 'Succeeded' && phase !== 'Failed';
}

/**
 * The parts of a pod that count in the placement of other pods. Of its status these are its allocated resources and its
 * nominated node.
 */
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
