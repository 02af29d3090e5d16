/** The view of Tallies: counts that stay current, by the values of labels. */
export { TalliesView } from './tallies-view.tsx';
