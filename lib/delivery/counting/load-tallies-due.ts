/** Loads the Tally code on demand, because most deployments have no Tallies. */
export const loadTalliesDue = () => import('./tallies-due.ts');
