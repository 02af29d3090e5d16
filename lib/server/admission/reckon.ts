import type { ObjectState } from '../../store/index.ts';
import type { ReckonOptions } from './quota/index.ts';

/** Has quotas say how much of them is used. What counts is loaded with it. */
export async function reckon(options: ReckonOptions, quotas: readonly ObjectState[]): Promise<void> {
  const { computeUsage } = await import('./quota/index.ts');
  await computeUsage(options, quotas);
}
