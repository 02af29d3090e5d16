import type { JsonObject } from '../../json/index.ts';
import type { FeasibleNode, RefusedNode } from '../../placement/index.ts';
import type { Assignment } from './place-each.ts';

const COLUMNS: readonly (readonly [name: string, type: string, description: string])[] = [
  ['Node', 'string', 'Name of the node. The feasible nodes come first, the best at the top.'],
  ['Pods', 'integer', 'The number of requested pods that are placed on the node, one after the other.'],
  ['Score', 'string', 'The sum of the scores of all rules.'],
  ['Why', 'string', 'The score of each rule; or the rule that refuses the node, and its reasons.'],
];
const NONE = '<none>';

/** The nodes of a placement as a meta.k8s.io Table, one row each. */
export function placementTable({ feasible, refused, assigned }: Assignment, version: string): JsonObject {
  const pods = (node: string) => assigned.filter((one) => one === node).length;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {},
    columnDefinitions: COLUMNS.map(([name, type, description]) => ({
      name,
      type,
      format: '',
      description,
      priority: 0,
    })),
    rows: [
      ...feasible.map((one) => row(one.node, pods(one.node), String(one.score), scoresOf(one))),
      ...refused.map((one) => row(one.node, 0, NONE, refusalOf(one))),
    ],
  };
}

function row(node: string, pods: number, score: string, why: string): JsonObject {
  return { cells: [node, pods, score, why], object: null };
}

function scoresOf({ scores }: FeasibleNode): string {
  return Object.entries(scores)
    .map(([rule, score]) => `${rule} ${score}`)
    .join(', ');
}

function refusalOf({ rule, reasons }: RefusedNode): string {
  return `${rule}: ${reasons.join(', ')}`;
}
