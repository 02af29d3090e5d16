import { isJsonObject, type JsonObject, objectAt } from '../../store/index.ts';

/**
 * Who wrote what a Subscription or a Tally tells, and to whom. Nobody is said where that is somebody who may do
 * everything, and where it was written before authors were kept.
 */
export interface Author {
  readonly username: string;
  readonly groups: readonly string[];
  /** The ARN of the IAM principal he was, where he was answered as himself: an AccessEntry may say who that is now. */
  readonly principal?: string;
}

/** As the status of a Subscription or of a Tally says; it is the server's. */
export function authorIn(body: JsonObject): Author | undefined {
  const { author } = objectAt(body.status);
  if (!isJsonObject(author)) return undefined;
  const { username, groups, principal } = author;
  return {
    username: String(username),
    groups: (Array.isArray(groups) ? groups : []).map(String),
    ...(typeof principal === 'string' && { principal }),
  };
}

/** The same as a state row holds it; `''`: nobody is said. */
export function printAuthor(author: Author | undefined): string {
  return author === undefined ? '' : JSON.stringify(author);
}
