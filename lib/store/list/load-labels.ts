/** Who does not ask for labels alone does not load what reads them. */
export const loadLabels = () => import('./visit-labels.ts');
