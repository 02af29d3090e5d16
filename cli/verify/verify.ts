import { Connection, Fault, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import type { VerifyOptions } from './command.ts';
import { listedSet } from './listed-set.ts';
import { toldSet } from './told-set.ts';

/**
 * Compares what a Subscription told its queue with a LIST at the same resourceVersion, and says what it found.
 *
 * @throws {Fault} they differ, or it cannot be told.
 */
export async function verify(name: string, options: VerifyOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const { signal } = interrupted;
  const connection = new Connection(openAccess(options), signal);
  const asked = { connection, namespace: options.namespace, name, signal };
  const told = await toldSet(asked);
  const listed = await listedSet(asked, told);
  screen.say(`told   ${inWords(told.set)}, after ${told.sequence} messages`);
  screen.say(`listed ${inWords(listed)}, at resourceVersion ${told.position}`);
  if (listed === told.set) {
    screen.say('Right: the queue was told of exactly what there is.');
    return;
  }
  const advice =
    'Create the Subscription anew with start: snapshot, and keep the log of dispatch: this is a fault of it';
  throw new Fault({ what: `Wrong: the queue was told something else than there is. ${advice}`, advice });
}

function inWords(set: string): string {
  const [count, digest] = set.split('/');
  return `${count} ${count === '1' ? 'object' : 'objects'}, digest ${digest}`;
}
