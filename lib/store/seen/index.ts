/**
 * The time of each user's last request, and their groups then. For users of an external identity provider, Winnow
 * knows nothing else.
 */
export { noteSeen, readSeen, SEEN_KEPT, type Seen, type SeenRow, type Sighting } from './seen-rows.ts';
