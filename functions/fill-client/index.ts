/** The client of the function `fill`, for functions that have no write permission. */
export { type AskFill, createAskFill, createFiller } from './ask-fill.ts';
