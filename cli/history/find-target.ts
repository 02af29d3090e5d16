import type { Connection } from '../connection/index.ts';
import { type FoundObject, type FoundType, findObject, findType, pathOf } from '../finding/index.ts';

/** The object or the collection that a command is about. */
export interface Target {
  /** Undefined if the user named a type. */
  readonly object: FoundObject | undefined;
  readonly collection: TargetCollection;
}

export interface TargetCollection {
  /** The path of a LIST. */
  readonly path: string;
  /** The type as a field selector of `histories` names it: `pods`, `deployments.apps`. */
  readonly resource: string;
  /** The namespace; undefined for all, or if the type has none. */
  readonly namespace: string | undefined;
}

interface Where {
  readonly namespace: string;
  readonly allNamespaces?: true;
}

/**
 * Finds what the user named, as for kubectl: `TYPE` or `TYPE/NAME`.
 *
 * @throws {Error} the type does not exist
 */
export async function findTarget(
  connection: Connection,
  named: string,
  { namespace, allNamespaces }: Where,
): Promise<Target> {
  if (!named.includes('/')) {
    const found = await findType(connection, named);
    return { object: undefined, collection: collectionOf(found, allNamespaces ? undefined : namespace) };
  }
  if (allNamespaces) throw new Error(`${named} names one object: leave out --all-namespaces`);
  const object = await findObject(connection, named, namespace);
  return { object, collection: collectionOf(object.found, namespace) };
}

function collectionOf(found: FoundType, namespace: string | undefined): TargetCollection {
  const [, root = '', group = ''] = found.root.split('/');
  return {
    path: pathOf(found, namespace),
    resource: root === 'apis' ? `${found.plural}.${group}` : found.plural,
    namespace: found.namespaced ? namespace : undefined,
  };
}
