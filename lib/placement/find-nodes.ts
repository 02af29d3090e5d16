import { messageOf, messageOfAll } from './message.ts';
import type { FilterRuleName, RefusedNode } from './placement.ts';
import { type AskedPod, FILTER_RULES, type PreparedFilter } from './rules/index.ts';
import type { NodeState, PodState, World } from './world/index.ts';

export interface FoundNodes {
  readonly found: readonly NodeState[];
  readonly refused: readonly RefusedNode[];
  /** The reasons by node; empty if a node was found. */
  readonly message: string;
}

interface NamedFilter extends PreparedFilter {
  readonly rule: FilterRuleName;
}

const NOBODY: readonly PodState[] = [];

/**
 * Finds the nodes that no rule refuses. If the pod has a nominated node that is still feasible, the result is that
 * node alone.
 */
export function findNodes(asked: AskedPod, world: World): FoundNodes {
  const filters = FILTER_RULES.flatMap((rule): NamedFilter[] => {
    const prepared = rule.prepare(asked, world);
    return prepared === undefined ? [] : [{ rule: rule.name, ...prepared }];
  });
  const nodes = world.nodes.present;
  const refusing = filters.find(({ refusesAll }) => refusesAll !== undefined);
  if (refusing?.refusesAll !== undefined) {
    const { rule, refusesAll } = refusing;
    const refused = nodes.map((node) => ({ node: node.name, rule, reasons: [refusesAll] }));
    return { found: [], refused, message: messageOfAll(nodes.length, refusesAll) };
  }
  const nominated = world.nodes.find(asked.pod.status?.nominatedNodeName ?? '');
  if (nominated !== undefined && refusalOf(nominated, filters, asked) === undefined) {
    return { found: [nominated], refused: [], message: '' };
  }
  return askEach(nodes, filters, { asked, nominated });
}

interface Asking {
  readonly asked: AskedPod;
  /** This node was evaluated already. */
  readonly nominated: NodeState | undefined;
}

function askEach(
  nodes: readonly NodeState[],
  filters: readonly NamedFilter[],
  { asked, nominated }: Asking,
): FoundNodes {
  const restricting = filters.find(({ only }) => only !== undefined);
  const found: NodeState[] = [];
  const refused: RefusedNode[] = [];
  for (const node of nodes) {
    const isNamed = restricting?.only === undefined || restricting.only.has(node.name) || node === nominated;
    const refusal = isNamed ? refusalOf(node, filters, asked) : notNamed(node, restricting.rule);
    if (refusal === undefined) {
      found.push(node);
    } else {
      refused.push(refusal);
    }
  }
  return { found, refused, message: found.length > 0 ? '' : messageOf(nodes.length, refused) };
}

function notNamed({ name }: NodeState, rule: FilterRuleName): RefusedNode {
  return { node: name, rule, reasons: [`node(s) didn't satisfy plugin(s) [${rule}]`] };
}

/** Evaluates a node with the pods nominated for it, and without them, because these pods may never arrive. */
function refusalOf(
  node: NodeState,
  filters: readonly NamedFilter[],
  asked: AskedPod,
): RefusedNode | undefined {
  const promised = asked.promisedBefore(node);
  const refusal = promised.length === 0 ? undefined : firstRefusal(node, filters, promised);
  return refusal ?? firstRefusal(node, filters, NOBODY);
}

function firstRefusal(
  node: NodeState,
  filters: readonly NamedFilter[],
  promised: readonly PodState[],
): RefusedNode | undefined {
  for (const { rule, refuse } of filters) {
    const reasons = refuse(node, promised);
    if (reasons !== undefined) return { node: node.name, rule, reasons };
  }
  return undefined;
}
