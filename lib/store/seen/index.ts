/** When users were seen last, and in which groups: of an identity that is kept by others nothing else is known. */
export { noteSeen, readSeen, SEEN_KEPT, type Seen, type SeenRow, type Sighting } from './seen-rows.ts';
