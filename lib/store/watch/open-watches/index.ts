/** The limit on one user's open watches, in deployments that have one. */
export { answerWatchRequest } from './answer-watch-request.ts';
export { createWatchCap, type HeldWatch, type WatchCap } from './watch-cap.ts';
