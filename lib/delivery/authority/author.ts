import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';

/**
 * The user whose permissions limit what a Subscription or a Tally delivers: the caller that last changed its selection
 * or its receivers. There is no author if that caller may do everything, or if the object was written before Winnow
 * stored authors.
 *
 * A service account is identified by its `uid`, an IAM principal by its `principal`, and any other user only by name.
 */
export interface Author {
  readonly username: string;
  readonly groups: readonly string[];
  /**
   * The ARN of the IAM principal, unless the caller acted as another user. Its AccessEntry holds its current groups.
   */
  readonly principal?: string;
  /** The uid of a service account. Releases before this field identified the account by its name alone. */
  readonly uid?: string;
}

/** The user or the IAM principal that wrote a Subscription or a Tally that has the permissions of a service account. */
export type Writer = Pick<Author, 'username' | 'principal'>;

/** The author in the status of a Subscription or a Tally. Only the server writes this field. */
export function authorIn(body: JsonObject): Author | undefined {
  const { author } = objectAt(body.status);
  if (!isJsonObject(author)) return undefined;
  const { username, groups, principal, uid } = author;
  return {
    username: String(username),
    groups: (Array.isArray(groups) ? groups : []).map(String),
    ...(typeof principal === 'string' && { principal }),
    ...(typeof uid === 'string' && { uid }),
  };
}

/** The writer in the status, if the writer is not the author. Only the server writes this field. */
export function writerIn(body: JsonObject): Writer | undefined {
  const { writer } = objectAt(body.status);
  if (!isJsonObject(writer)) return undefined;
  const { username, principal } = writer;
  return { username: String(username), ...(typeof principal === 'string' && { principal }) };
}

/** The author as text in a state row; `''`: the state has no author. */
export function printAuthor(author: Author | undefined): string {
  return author === undefined ? '' : JSON.stringify(author);
}

/** Whether two authors are the same, whatever their groups. The name of an IAM principal does not matter either. */
export function isSameAuthor(one: Author | undefined, other: Author | undefined): boolean {
  if (one?.principal !== undefined) return one.principal === other?.principal;
  return one?.username === other?.username && one?.uid === other?.uid && other?.principal === undefined;
}
