import { type Connection, Fault } from '../connection/index.ts';
import { type FoundType, findType, pathOf } from './find-type.ts';

/** An object that a command names. */
export interface FoundObject {
  /** Its path in the API. */
  readonly path: string;
  /** The type as the user typed it. */
  readonly type: string;
  readonly name: string;
  /** Undefined if the type has no namespaces. */
  readonly namespace: string | undefined;
  readonly found: FoundType;
}

/**
 * Finds the path of an object that is named as for kubectl: `TYPE/NAME`, `TYPE.GROUP/NAME` or
 * `TYPE.VERSION.GROUP/NAME`.
 *
 * @throws {Error} the text has another form, or the type does not exist
 */
export async function findObject(
  connection: Connection,
  object: string,
  namespace: string,
): Promise<FoundObject> {
  const [, type = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(object) ?? [];
  if (name === '') throw new Error(`${object} does not name an object: use TYPE/NAME, such as pod/web-1`);
  const found = await findType(connection, type);
  const path = `${pathOf(found, namespace)}/${encodeURIComponent(name)}`;
  return { path, type, name, namespace: found.namespaced ? namespace : undefined, found };
}

/** The error for an object that does not exist. */
export function notFound({ type, name, namespace }: Omit<FoundObject, 'path' | 'found'>): Fault {
  const [where, option] =
    namespace === undefined ? ['', ''] : [` in namespace ${namespace}`, ` --namespace ${namespace}`];
  return new Fault({
    what: `${type} ${JSON.stringify(name)} not found${where}`,
    advice: `List those that exist: kubectl get ${type}${option}`,
  });
}
