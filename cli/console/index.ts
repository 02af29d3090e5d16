/** The command `console`, and the links of a console in a terminal. */
export { addConsole } from './command.ts';
export { offerLinks, onEnter, REUSED } from './offer-links.ts';
