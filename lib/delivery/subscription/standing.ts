/**
 * Whether the author of a Subscription or a Tally still exists, for its status. Times are in ms since the epoch.
 *
 *   AuthorGone     the author does not exist any more, so nothing is delivered
 *   WrittenByUser  a user wrote it: delivery stops when that user was not seen for `after` ms
 *   AuthorExpires  delivery stops at `at`, unless the user is seen before
 *   AuthorNotSeen  delivery has stopped: the user was last seen at `seen`
 */
export type Standing =
  | { readonly reason: 'AuthorGone'; readonly message: string }
  | { readonly reason: 'WrittenByUser'; readonly after: number }
  | { readonly reason: 'AuthorExpires'; readonly at: number }
  | { readonly reason: 'AuthorNotSeen'; readonly seen: number };

/** A standing as a state row holds it: JSON; `''`: there is none. */
export function printStanding(standing: Standing | undefined): string {
  return standing === undefined ? '' : JSON.stringify(standing);
}

/** The inverse of {@link printStanding}. */
export function parseStanding(text: string): Standing | undefined {
  return text === '' ? undefined : JSON.parse(text);
}

/** Whether delivery is held until the author is seen again. The consumer's objects and the position stay. */
export function isHeld(standing: string): boolean {
  return parseStanding(standing)?.reason === 'AuthorNotSeen';
}
