import type { Connection } from '../connection/index.ts';
import { findType, pathOf } from './find-type.ts';

/**
 * Finds the path of an object that is named as for kubectl: `TYPE/NAME` or `TYPE.GROUP/NAME`.
 *
 * @throws {Error} the text has another form, or the type does not exist
 */
export async function findObject(connection: Connection, object: string, namespace: string): Promise<string> {
  const [, type = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(object) ?? [];
  if (name === '') throw new Error(`${object} does not name an object: use TYPE/NAME, such as pod/web-1`);
  return `${pathOf(await findType(connection, type), namespace)}/${encodeURIComponent(name)}`;
}
