import type { BinderOptions } from './binder-options.ts';

/**
 * The settings that decide which pods a binder handles and how it judges nodes. If they change, all pods are tried
 * again.
 */
export function chosenOf({
  schedulerName,
  profile,
}: Pick<BinderOptions, 'schedulerName' | 'profile'>): string {
  return JSON.stringify({ schedulerName, ...profile });
}
