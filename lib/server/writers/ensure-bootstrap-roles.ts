import type { EnsureOptions } from '../objects/index.ts';

/** Creates the ClusterRoles and bindings that every cluster has, if they are absent. The code is loaded on demand. */
export async function ensureBootstrapRoles(options: EnsureOptions): Promise<void> {
  const { ensureRoles } = await import('../access/index.ts');
  await ensureRoles(options);
}
