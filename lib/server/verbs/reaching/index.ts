/** Whether one end may reach another. Loaded when it is asked. */
export { reviewReachability } from './review-reachability.ts';
