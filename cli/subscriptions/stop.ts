import { valueAt } from '../../lib/json/index.ts';
import { type Connection, explainStatus } from '../connection/index.ts';
import type { Authored } from './find-authored.ts';

/**
 * Suspends or deletes one object, unless an object with another uid has its name now. Returns what it did.
 *
 * @throws {Fault} the endpoint refused it, or did not answer
 */
export async function stop(
  connection: Connection,
  { path, object }: Authored,
  deletes: boolean,
): Promise<'suspended' | 'deleted' | 'gone already'> {
  const uid = String(valueAt(object, 'metadata.uid'));
  const reply = deletes
    ? await connection.send('DELETE', path, { body: { preconditions: { uid } } })
    : await connection.send('PATCH', path, {
        body: { metadata: { uid }, spec: { suspend: true } },
        contentType: 'application/merge-patch+json',
      });
  if (reply.status === 404) return 'gone already';
  if (reply.status >= 400) throw explainStatus(reply, `${deletes ? 'DELETE' : 'PATCH'} ${path}`);
  return deletes ? 'deleted' : 'suspended';
}
