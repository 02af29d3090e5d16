/**
 * What the status of a Subscription or a Tally says of its author beyond the author's rights. Times in ms since the epoch.
 *
 *   AuthorGone     the author does not exist any more, so nothing is told
 *   WrittenByUser  a user wrote it: delivery stops when that user was not seen for `after` ms
 *   AuthorExpires  it stops at `at`, unless the user is seen before
 *   AuthorNotSeen  it has stopped: the user was last seen at `seen`
 */
export type Standing =
  | { readonly reason: 'AuthorGone'; readonly message: string }
  | { readonly reason: 'WrittenByUser'; readonly after: number }
  | { readonly reason: 'AuthorExpires'; readonly at: number }
  | { readonly reason: 'AuthorNotSeen'; readonly seen: number };

/** The same as a state row holds it: JSON; `''`: there is nothing to say. */
export function printStanding(standing: Standing | undefined): string {
  return standing === undefined ? '' : JSON.stringify(standing);
}

/** Reads {@link printStanding}. */
export function parseStanding(text: string): Standing | undefined {
  return text === '' ? undefined : JSON.parse(text);
}

/** Whether nothing is sent until the author is seen again: what was sent stays, and the position too. */
export function isHeld(standing: string): boolean {
  return parseStanding(standing)?.reason === 'AuthorNotSeen';
}
