import { Connection, openAccess } from '../connection/index.ts';
import { findAuthored } from './find-authored.ts';
import type { ListOptions } from './options.ts';
import { tableOf } from './rows.ts';

/** Prints the Subscriptions and Tallies of all namespaces, or those of one author. */
export async function listAuthored({ author, output, ...access }: ListOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(access), interrupted.signal);
  const found = await findAuthored(connection, { author });
  if (output === 'json') {
    const objects = found.map(({ object }) => object);
    process.stdout.write(`${JSON.stringify(objects, undefined, 2)}\n`);
  } else if (found.length === 0) {
    const whose = author === undefined ? 'no Subscriptions or Tallies exist' : noneOf(author);
    process.stderr.write(`${whose}\n`);
  } else {
    process.stdout.write(`${tableOf(found)}\n`);
  }
}

/** The message for an author without Subscriptions and Tallies. */
export function noneOf(author: string): string {
  return `no Subscription or Tally has the author ${author}`;
}
