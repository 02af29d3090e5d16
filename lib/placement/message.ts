/** What kube-scheduler says where there is no node at all. */
export const NO_NODES = 'no nodes available to schedule pods';

/** Why no node will do, whatever the nodes are. */
export function messageOfAll(nodes: number, reason: string): string {
  return `0/${nodes} nodes are available: ${reason}.`;
}

/** How many nodes each reason refuses, as kube-scheduler orders them. */
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
