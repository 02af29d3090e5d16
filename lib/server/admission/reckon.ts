import type { ObjectState } from '../../store/index.ts';
import type { ReckonOptions } from './quota/index.ts';

/** Counts the usage of quotas and writes it into their status. The code that counts is loaded on demand. */
export async function reckon(options: ReckonOptions, quotas: readonly ObjectState[]): Promise<void> {
  const { computeUsage } = await import('./quota/index.ts');
  await computeUsage(options, quotas);
}
