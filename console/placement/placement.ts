/** The status of a PlacementReview. */
export interface Placement {
  /** The node of each pod that got one. */
  readonly assigned: readonly string[];
  /** The nodes that no rule refuses, best first. */
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
  /** Why the next pod gets no node. Missing if all pods got one. */
  readonly message?: string;
}

/** A node of the answer. */
export interface NodeRow {
  readonly node: string;
  readonly verdict: 'chosen' | 'possible' | 'refused';
  /** The number of pods that the node would get. */
  readonly pods: number;
  /** Missing if the node is refused. */
  readonly score?: number;
  /** The points of each rule. */
  readonly scores: readonly (readonly [rule: string, points: number])[];
  /** The rule that refuses the node. Empty if no rule does. */
  readonly rule: string;
  readonly reasons: readonly string[];
}

/** Returns a row for each node: the chosen ones first, then by score, then the refused ones by name. */
export function rowsOf({ assigned, feasible, refused }: Placement): NodeRow[] {
  const pods = (node: string) => assigned.filter((one) => one === node).length;
  const possible = feasible.map(({ node, score, scores }): NodeRow => {
    const count = pods(node);
    return {
      node,
      verdict: count > 0 ? 'chosen' : 'possible',
      pods: count,
      score,
      scores: Object.entries(scores).filter(([, points]) => points !== 0),
      rule: '',
      reasons: [],
    };
  });
  const others = refused.map(
    ({ node, rule, reasons }): NodeRow => ({ node, verdict: 'refused', pods: 0, scores: [], rule, reasons }),
  );
  return [
    ...possible.sort((one, other) => other.pods - one.pods || (other.score ?? 0) - (one.score ?? 0)),
    ...others.sort((one, other) => (one.node < other.node ? -1 : 1)),
  ];
}

/** A reason with the nodes that it refuses. */
export interface Reason {
  readonly rule: string;
  readonly text: string;
  readonly nodes: number;
}

/** Groups the reasons of the refused nodes, the most frequent one first. A node may have several reasons. */
export function reasonsOf(rows: readonly NodeRow[]): Reason[] {
  const found = new Map<string, Reason>();
  for (const { rule, reasons } of rows) {
    for (const text of new Set(reasons)) {
      const nodes = (found.get(text)?.nodes ?? 0) + 1;
      found.set(text, { rule, text: withoutNodes(text), nodes });
    }
  }
  return [...found.values()].sort(
    (one, other) => other.nodes - one.nodes || (one.text < other.text ? -1 : 1),
  );
}

/** A reason of kube-scheduler without its subject, which the row or the number names. */
export function withoutNodes(reason: string): string {
  return reason.replace(/^node\(s\) /, '');
}

/** Whether a reason is one of a row. */
export function hasReason({ reasons }: NodeRow, { text }: Reason): boolean {
  return reasons.some((one) => withoutNodes(one) === text);
}

/** The answer in a sentence. */
export function placementSentence({ assigned, feasible, message }: Placement, count: number): string {
  if (message !== undefined) {
    return count === 1 ? 'No node accepts the pod.' : `${assigned.length} of ${count} pods get a node.`;
  }
  const nodes = `${feasible.length} ${feasible.length === 1 ? 'node accepts' : 'nodes accept'} it`;
  if (count === 1) return `The pod would go to ${assigned[0]}: ${nodes}.`;
  const used = new Set(assigned).size;
  return `All ${count} pods get a node, on ${used} ${used === 1 ? 'node' : 'nodes'}.`;
}
