import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';

/**
 * The user whose rights limit what a Subscription or a Tally delivers: the caller that last changed its selection or
 * its receivers. None is kept where that caller may do everything, and where it was written before authors were kept.
 *
 * A service account is one by its `uid`, an IAM principal by its `principal`; of any other user the name is all there is.
 */
export interface Author {
  readonly username: string;
  readonly groups: readonly string[];
  /** The ARN of the IAM principal, where it was not answered as another user: its AccessEntry says its groups now. */
  readonly principal?: string;
  /** Of a service account. Releases before this field knew it by its name alone. */
  readonly uid?: string;
}

/** The user or the IAM principal who wrote a Subscription or a Tally that has the rights of a service account. */
export type Writer = Pick<Author, 'username' | 'principal'>;

/** As the status of a Subscription or of a Tally says; it is the server's. */
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

/** The writer in the status, where that is not the author; it is the server's. */
export function writerIn(body: JsonObject): Writer | undefined {
  const { writer } = objectAt(body.status);
  if (!isJsonObject(writer)) return undefined;
  const { username, principal } = writer;
  return { username: String(username), ...(typeof principal === 'string' && { principal }) };
}

/** The same as a state row holds it; `''`: nobody is said. */
export function printAuthor(author: Author | undefined): string {
  return author === undefined ? '' : JSON.stringify(author);
}

/** Whether two are the same author, whatever groups they are in: of an IAM principal whatever name it has here, too. */
export function isSameAuthor(one: Author | undefined, other: Author | undefined): boolean {
  if (one?.principal !== undefined) return one.principal === other?.principal;
  return one?.username === other?.username && one?.uid === other?.uid && other?.principal === undefined;
}
