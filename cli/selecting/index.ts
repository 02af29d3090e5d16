/** The commands `who-selects`, `members` and `facets`. */
export { addFacets, addMembers, addWhoSelects } from './command.ts';
