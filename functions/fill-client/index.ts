/** How functions that write nothing have `fill` write for them. */
export { type AskFill, createAskFill, createFiller } from './ask-fill.ts';
