import { digestOf, keyOf, readSelection } from '../../lib/client/index.ts';
import { Connection, Fault, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { type DeliveredSet, toldSet, type VerifiedSubscription } from './delivered-set.ts';
import type { VerifyOptions } from './options.ts';

/** Digests are sums modulo this number. */
const MODULUS = 1n << 128n;

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

/** The count and the digest of a LIST at the Subscription's position, in the format of its status: `<count>/<digest>`. */
async function listedSet(
  { connection, namespace }: VerifiedSubscription,
  { spec, position }: Pick<DeliveredSet, 'spec' | 'position'>,
): Promise<string> {
  const asked = await readSelection(spec, namespace, (group) => connection.ask('GET', group));
  const { collection, labelSelector, fieldSelector, namespaces } = asked;
  const at = { resourceVersion: position, resourceVersionMatch: 'Exact' };
  let count = 0;
  let digest = 0n;
  for (let next: string | undefined; next !== ''; ) {
    const where = next === undefined ? at : { continue: next };
    const query = new URLSearchParams({ labelSelector, fieldSelector, limit: '500', ...where });
    const page = await connection.ask('GET', `${collection}?${query}`);
    for (const object of page.items ?? []) {
      if (namespaces?.has(object.metadata.namespace ?? '') === false) continue;
      count += 1;
      digest += digestOf(keyOf(object), String(object.metadata.resourceVersion));
    }
    next = (page.metadata as { continue?: string }).continue ?? '';
  }
  return `${count}/${(digest % MODULUS).toString(16).padStart(32, '0')}`;
}
