import { type JsonObject, objectAt } from '../../lib/json/index.ts';
import type { Connection } from '../connection/index.ts';

/** A resource type in discovery. */
interface Resource extends JsonObject {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The parts of the paths of a type's objects. */
export interface FoundType {
  /** The path of its API. */
  readonly root: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether `status` is a subresource. */
  readonly hasStatus: boolean;
}

/**
 * Finds a type that is named as for kubectl, `TYPE`, `TYPE.GROUP` or `TYPE.VERSION.GROUP`, by discovery. `TYPE` is its
 * plural, its singular, its kind or a short name, in upper or lower case. Without a version, the preferred version of the
 * group comes first, and then its other versions.
 *
 * @throws {Error} the type does not exist
 */
export async function findType(connection: Pick<Connection, 'ask'>, named: string): Promise<FoundType> {
  const [, type = '', place] = /^([^.]+)(?:\.(.+))?$/.exec(named) ?? [];
  for (const root of await rootsOf(connection, place)) {
    const { resources = [] } = await connection.ask('GET', root);
    const all = resources as unknown as readonly JsonObject[];
    const found = all.filter(isResource).find((resource) => namesOf(resource).includes(type.toLowerCase()));
    if (found === undefined) continue;
    const { name: plural, kind, namespaced } = found;
    return { root, plural, kind, namespaced, hasStatus: all.some(({ name }) => name === `${plural}/status`) };
  }
  throw new Error(`the server has no type ${named}: see kubectl api-resources`);
}

/** The path of a type's objects in one namespace, or in all. */
export function pathOf({ root, plural, namespaced }: FoundType, namespace: string | undefined): string {
  const place = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${plural}`;
}

/** The paths of the API versions in a place, `GROUP` or `VERSION.GROUP`, or of all: the core group first, as in kubectl. */
async function rootsOf(
  connection: Pick<Connection, 'ask'>,
  place: string | undefined,
): Promise<readonly string[]> {
  const { groups } = await connection.ask('GET', '/apis');
  const roots = new Map([['/api/v1', ['v1.']]]);
  for (const group of Array.isArray(groups) ? groups : []) {
    const { name, preferredVersion, versions } = objectAt(group);
    const others = Array.isArray(versions) ? versions : [];
    for (const { groupVersion, version } of [preferredVersion, ...others].map(objectAt)) {
      roots.set(`/apis/${groupVersion}`, [String(name), `${version}.${name}`]);
    }
  }
  return [...roots].filter(([, names]) => place === undefined || names.includes(place)).map(([root]) => root);
}

function isResource(resource: JsonObject): resource is Resource {
  return typeof resource.name === 'string' && !resource.name.includes('/');
}

function namesOf({ name, singularName, kind, shortNames }: Resource): readonly string[] {
  const short = Array.isArray(shortNames) ? shortNames.map(String) : [];
  return [name, singularName, kind.toLowerCase(), ...short];
}
