import { Connection, Fault, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { toldSet } from './delivered-set.ts';
import { listedSet } from './listed-set.ts';
import type { VerifyOptions } from './options.ts';

/**
 * Compares the set that a Subscription delivered with a LIST at the same resourceVersion, and prints the result.
 *
 * @throws {Fault} the sets differ, or cannot be compared.
 */
export async function verify(name: string, options: VerifyOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const { signal } = interrupted;
  const connection = new Connection(openAccess(options), signal);
  const asked = { connection, namespace: options.namespace, name, signal };
  const told = await toldSet(asked);
  const listed = await listedSet(asked, told);
  screen.say(`delivered ${inWords(told.set)}, after ${told.sequence} messages`);
  screen.say(`listed    ${inWords(listed)}, at resourceVersion ${told.position}`);
  if (listed === told.set) {
    screen.say('Match: the queue received exactly the objects that the LIST shows.');
    return;
  }
  const advice =
    'This is a bug in Winnow: save the log of dispatch, and recreate the Subscription with start: snapshot.';
  throw new Fault({
    what: 'Mismatch: the queue received a different set of objects than the LIST shows',
    advice,
  });
}

function inWords(set: string): string {
  const [count, digest] = set.split('/');
  return `${count} ${count === '1' ? 'object' : 'objects'}, digest ${digest}`;
}
