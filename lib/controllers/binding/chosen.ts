import type { BinderOptions } from './binder-options.ts';

/** What pods a binder looks at, and how nodes are judged: where that is another, all of them are looked at. */
export function chosenOf({
  schedulerName,
  profile,
}: Pick<BinderOptions, 'schedulerName' | 'profile'>): string {
  return JSON.stringify({ schedulerName, ...profile });
}
