/** kube-scheduler's message for a cluster without nodes. */
export const NO_NODES = 'no nodes available to schedule pods';

/** The reason that excludes all nodes, independent of the nodes. */
export function messageOfAll(nodes: number, reason: string): string {
  return `0/${nodes} nodes are available: ${reason}.`;
}

/** Returns the number of refused nodes for each reason, in kube-scheduler's order. */
export function messageOf(
  nodes: number,
  refused: readonly { readonly reasons: readonly string[] }[],
): string {
  const counts = new Map<string, number>();
  for (const { reasons } of refused) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const lines = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return lines.length === 0 ? `0/${nodes} nodes are available:` : messageOfAll(nodes, lines.join(', '));
}
