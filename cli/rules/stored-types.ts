import { type JsonObject, type JsonValue, objectAt, objectsIn } from '../../lib/json/index.ts';
import type { GroupVersionKind } from '../../lib/kubernetes/admission-match/index.ts';
import type { Connection } from '../connection/index.ts';

/** A stored resource type, in one version. */
export interface StoredType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The stored types of a server, in every version that it serves. */
export class StoredTypes {
  readonly #types: readonly StoredType[];

  private constructor(types: readonly StoredType[]) {
    this.#types = types;
  }

  static async of(connection: Pick<Connection, 'ask'>): Promise<StoredTypes> {
    const { groups } = await connection.ask('GET', '/apis');
    const versions = objectsIn(groups).flatMap((group) => objectsIn(group.versions));
    const roots = ['/api/v1', ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`)];
    const read = await Promise.all(roots.map(async (root) => typesIn(await connection.ask('GET', root))));
    return new StoredTypes(read.flat());
  }

  /** The scope of a kind; undefined if the server does not serve it. */
  scopeOf({ group, version, kind }: GroupVersionKind): 'Cluster' | 'Namespaced' | undefined {
    const found = this.ofKind({ group, version, kind });
    return found && (found.namespaced ? 'Namespaced' : 'Cluster');
  }

  ofKind({ group, version, kind }: GroupVersionKind): StoredType | undefined {
    return this.#types.find((type) => type.group === group && type.version === version && type.kind === kind);
  }

  /** The types that the `resourceRules` of a policy name, each in the first version that they name. */
  matching(rules: JsonValue | undefined): StoredType[] {
    const found = new Map<string, StoredType>();
    for (const rule of objectsIn(rules)) {
      for (const type of this.#types.filter((each) => isNamed(rule, each))) {
        const name = `${type.group}/${type.resource}`;
        if (!found.has(name)) found.set(name, type);
      }
    }
    return [...found.values()];
  }
}

/** The path of a type's objects, in one namespace or in all. */
export function pathOf({ group, version, resource, namespaced }: StoredType, namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${resource}`;
}

/** The types of one API version that can be listed: reviews and subresources cannot. */
function typesIn({ groupVersion, resources }: JsonObject): StoredType[] {
  const [first = '', second] = String(groupVersion).split('/');
  const place = second === undefined ? { group: '', version: first } : { group: first, version: second };
  return objectsIn(resources)
    .filter(
      ({ verbs, name }) => Array.isArray(verbs) && verbs.includes('list') && !String(name).includes('/'),
    )
    .map(({ name, kind, namespaced }) => ({
      ...place,
      resource: String(name),
      kind: String(kind),
      namespaced: namespaced === true,
    }));
}

function isNamed(rule: JsonObject, { group, version, resource }: StoredType): boolean {
  const { apiGroups, apiVersions, resources } = objectAt(rule);
  const has = (list: JsonValue | undefined, ...texts: string[]) =>
    Array.isArray(list) && list.some((item) => texts.includes(String(item)));
  const isResource = has(resources, '*', '*/*', resource, `${resource}/*`);
  return has(apiGroups, '*', group) && has(apiVersions, '*', version) && isResource;
}
