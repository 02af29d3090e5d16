import type { EnsureOptions } from '../objects/index.ts';

/** Creates the ClusterRoles and bindings that every cluster has, where they are absent. It is loaded then. */
export async function ensureBootstrapRoles(options: EnsureOptions): Promise<void> {
  const { ensureRoles } = await import('../access/index.ts');
  await ensureRoles(options);
}
