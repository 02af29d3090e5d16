/**
 * What the status of a Subscription or a Tally says of its author beyond the author's rights.
 *
 *   AuthorGone   the author does not exist any more, so nothing is told
 */
export type Standing = { readonly reason: 'AuthorGone'; readonly message: string };

/** The same as a state row holds it: JSON; `''`: there is nothing to say. */
export function printStanding(standing: Standing | undefined): string {
  return standing === undefined ? '' : JSON.stringify(standing);
}

/** Reads {@link printStanding}. */
export function parseStanding(text: string): Standing | undefined {
  return text === '' ? undefined : JSON.parse(text);
}
