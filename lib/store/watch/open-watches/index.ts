/** How many watches one user has open at once, where a deployment bounds that. */
export { answerWatchRequest } from './answer-watch-request.ts';
export { createWatchCap, type HeldWatch, type WatchCap } from './watch-cap.ts';
