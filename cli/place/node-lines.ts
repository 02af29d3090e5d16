import { aligned } from '../aligned.ts';

/** The status of a PlacementReview. */
export interface PlacementStatus {
  readonly assigned: readonly string[];
  readonly feasible: readonly {
    readonly node: string;
    readonly score: number;
    readonly scores: Readonly<Record<string, number>>;
  }[];
  readonly refused: readonly {
    readonly node: string;
    readonly rule: string;
    readonly reasons: readonly string[];
  }[];
  readonly message?: string;
}

const HEADINGS = ['NODE', 'PODS', 'SCORE', 'WHY'];
const NONE = '-';

/** A heading and a line per node: first the feasible nodes, the best at the top. */
export function nodeLines({ assigned, feasible, refused }: PlacementStatus): string[] {
  const pods = (node: string) => String(assigned.filter((one) => one === node).length || NONE);
  return aligned([
    HEADINGS,
    ...feasible.map(({ node, score, scores }) => [node, pods(node), String(score), scoresOf(scores)]),
    ...refused.map(({ node, rule, reasons }) => [node, NONE, NONE, `${rule}: ${reasons.join(', ')}`]),
  ]);
}

function scoresOf(scores: Readonly<Record<string, number>>): string {
  return Object.entries(scores)
    .map(([rule, score]) => `${rule} ${score}`)
    .join(', ');
}

/** A sentence that says how many pods have a node, and why the next pod has no node. */
export function summaryOf({ assigned, message }: PlacementStatus, count: number): string {
  if (message === undefined) {
    return count === 1 ? `The pod fits on ${assigned[0]}.` : `All ${count} pods have a node.`;
  }
  return count === 1
    ? `The pod has no node: ${message}`
    : `${assigned.length} of ${count} pods have a node; the next pod has none: ${message}`;
}

const NOT_READY = 'node.kubernetes.io/not-ready';

/** Lines that say how to report nodes as ready, if a pod has no node and some nodes are not ready; otherwise none. */
export function notReadyHelp({ refused, message }: PlacementStatus): readonly string[] {
  const nodes = refused.filter(({ reasons }) => reasons.some((reason) => reason.includes(NOT_READY)));
  if (message === undefined || nodes.length === 0) return [];
  return [
    `Not ready: ${nodes.map(({ node }) => node).join(', ')}. The status of a node reports that it is ready, and "kubectl apply" does not write it.`,
    'To write the status in the file of the nodes: kubectl replace --subresource=status -f FILE',
  ];
}
