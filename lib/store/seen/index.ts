/**
 * The time of each user's last request, and the user's groups at that time. For users of an external identity provider,
 * Winnow knows nothing else.
 */
export { noteSeen, readSeen, SEEN_KEPT, type Seen, type SeenRow, type Sighting } from './seen-rows.ts';
