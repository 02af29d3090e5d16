import type { EnsureOptions } from '../objects/index.ts';

/** Creates the system namespaces if they are absent. This is rare, so the code is loaded on demand. */
export async function ensureSystemNamespaces(options: EnsureOptions): Promise<void> {
  const { ensureNamespace, SYSTEM_NAMESPACES } = await import('../objects/index.ts');
  for (const name of SYSTEM_NAMESPACES) await ensureNamespace(options, name);
}
