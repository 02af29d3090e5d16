/** What looks after Tallies; on demand, for mostly there are none. */
export const loadTalliesDue = () => import('./tallies-due.ts');
