import { type JsonObject, objectAt } from '../../json/index.ts';

/** The names of a kind in `x-kubernetes-group-version-kind`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * The components of kube-apiserver's OpenAPI v3 documents, as `#/components/schemas` holds them, by name:
 * `io.k8s.api.core.v1.PodSpec`. They stand in components.json, which `npm run schema` takes from the module
 * k8s.io/kubernetes (Apache License 2.0).
 */
export class Components {
  readonly #schemas: Readonly<Record<string, JsonObject>>;
  readonly #names = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, JsonObject>>) {
    this.#schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) {
      const kinds = schema['x-kubernetes-group-version-kind'];
      // A kind that exists in every group, such as DeleteOptions, gets no component.
      if (Array.isArray(kinds) && kinds.length === 1) this.#names.set(keyOf(objectAt(kinds[0])), name);
    }
  }

  /** The name of a kind's component; undefined for a kind that is not Kubernetes' own. */
  nameOf(kind: GroupVersionKind): string | undefined {
    return this.#names.get(keyOf({ ...kind }));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#schemas, name);
  }

  /** The components of these names and all that they refer to, directly or not, in the order of the names. */
  with(names: Iterable<string>): Record<string, JsonObject> {
    const found = new Set<string>();
    const open = [...names];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const schema = this.#schemas[name];
      if (schema === undefined || found.has(name)) continue;
      found.add(name);
      for (const [, referred = ''] of JSON.stringify(schema).matchAll(REFERENCE)) open.push(referred);
    }
    return Object.fromEntries([...found].toSorted().map((name) => [name, this.#schemas[name] ?? {}]));
  }
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

function keyOf({ group, version, kind }: JsonObject): string {
  return `${group}/${version}/${kind}`;
}

let loading: Promise<Components> | undefined;

/** The components, read the first time that a process asks for a document. */
export function loadComponents(): Promise<Components> {
  loading ??= import('./schemas.ts').then(({ schemas }) => new Components(schemas));
  return loading;
}
