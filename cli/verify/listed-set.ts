import { digestOf, keyOf, readSelection } from '../../lib/client/index.ts';
import type { Asked, Told } from './delivered-set.ts';

const MODULUS = 1n << 128n;

/** The count and the digest of a LIST at the Subscription's position, in the format of its status: `<count>/<digest>`. */
export async function listedSet(
  { connection, namespace }: Asked,
  { spec, position }: Pick<Told, 'spec' | 'position'>,
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
