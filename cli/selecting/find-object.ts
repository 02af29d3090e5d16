import type { Connection } from '../connection/index.ts';
import { findType, pathOf } from './find-type.ts';

/**
 * The path of an object that is named as kubectl takes it, `TYPE/NAME` or `TYPE.GROUP/NAME`.
 * @throws Error in words, where there is no such type
 */
export async function findObject(connection: Connection, object: string, namespace: string): Promise<string> {
  const [, type = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(object) ?? [];
  if (name === '') throw new Error(`${object} is no object: say TYPE/NAME, such as pod/web-1`);
  return `${pathOf(await findType(connection, type), namespace)}/${encodeURIComponent(name)}`;
}
