/** Only requests for labels load this code. */
export const loadLabels = () => import('./visit-labels.ts');
