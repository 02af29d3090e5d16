import { type JsonObject, valueAt } from '../../lib/json/index.ts';
import type { Connection } from '../connection/index.ts';

/** What discovery says of a type. */
interface Resource extends JsonObject {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Where the objects of a type are: all of them, and those of one namespace. */
export interface FoundType {
  /** Of its API. */
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/**
 * A type that is named as kubectl takes it, `TYPE` or `TYPE.GROUP`, by discovery: by its plural, its singular, its kind
 * or a short name, whatever the case.
 * @throws Error in words, where there is no such type
 */
export async function findType(connection: Connection, named: string): Promise<FoundType> {
  const [, type = '', group] = /^([^.]+)(?:\.(.+))?$/.exec(named) ?? [];
  for (const root of await rootsOf(connection, group)) {
    const { resources = [] } = await connection.ask('GET', root);
    const found = (resources as unknown as readonly JsonObject[])
      .filter(isResource)
      .find((resource) => namesOf(resource).includes(type.toLowerCase()));
    if (found !== undefined) return { root, plural: found.name, namespaced: found.namespaced };
  }
  throw new Error(`there is no type ${named}: see kubectl api-resources`);
}

/** The path of a type's objects: of one namespace, or of all. */
export function pathOf({ root, plural, namespaced }: FoundType, namespace: string | undefined): string {
  const place = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${plural}`;
}

/** The core group first, as kubectl looks. */
async function rootsOf(connection: Connection, group: string | undefined): Promise<readonly string[]> {
  const { groups } = await connection.ask('GET', '/apis');
  const known = Array.isArray(groups) ? groups : [];
  const named = known.filter((one) => group === undefined || valueAt(one, 'name') === group);
  const roots = named.map((one) => `/apis/${valueAt(one, 'preferredVersion.groupVersion')}`);
  return group === undefined ? ['/api/v1', ...roots] : roots;
}

function isResource(resource: JsonObject): resource is Resource {
  return typeof resource.name === 'string' && !resource.name.includes('/');
}

function namesOf({ name, singularName, kind, shortNames }: Resource): readonly string[] {
  const short = Array.isArray(shortNames) ? shortNames.map(String) : [];
  return [name, singularName, kind.toLowerCase(), ...short];
}
