/** The world of who has a right of some objects only: what a verb reads, writes and watches is within it. */
export { scopedView } from './scoped-view.ts';
