/** The view of placement: where a pod would go, and why not elsewhere. */
export { PlacementView } from './placement-view.tsx';
