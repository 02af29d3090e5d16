/** Reviews whether one end may reach another. Loaded when needed. */
export { reviewReachability } from './review-reachability.ts';
