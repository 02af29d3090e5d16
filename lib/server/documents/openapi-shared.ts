import type { JsonObject } from '../../json/index.ts';
import { string } from '../../kubernetes/resource-types/index.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The names of the components that every document shares. Kubernetes describes them. */
export const SHARED = {
  deleteOptions: `${META}.DeleteOptions`,
  labelSelector: `${META}.LabelSelector`,
  listMeta: `${META}.ListMeta`,
  objectMeta: `${META}.ObjectMeta`,
  status: `${META}.Status`,
} as const;

/** The component of the answers of the deprecated watch paths, which only Kubernetes' own kinds have. */
export const WATCH_EVENT = `${META}.WatchEvent`;

/** The component of discovery: the resources of a group and version. */
export const RESOURCE_LIST = `${META}.APIResourceList`;

/** The path of the components in an OpenAPI v3 document. */
export const COMPONENTS = '#/components/schemas/';

export function reference(name: string): JsonObject {
  return { $ref: `${COMPONENTS}${name}` };
}

/** A reference with a description. OpenAPI 3.0 allows no siblings of `$ref`, so `allOf` wraps it. */
export function described(description: string, name: string): JsonObject {
  return { description, allOf: [reference(name)] };
}

const CONVENTIONS =
  'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** `apiVersion`, `kind` and `metadata` of an object, or of a list, in the words of kube-apiserver. */
export function envelope(whose: 'object' | 'list'): Record<string, JsonObject> {
  const [what, meta, anchor] =
    whose === 'object'
      ? (["Standard object's metadata.", SHARED.objectMeta, 'metadata'] as const)
      : (['Standard list metadata.', SHARED.listMeta, 'types-kinds'] as const);
  return {
    apiVersion: string(
      `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. ${CONVENTIONS}#resources`,
    ),
    kind: string(
      `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. ${CONVENTIONS}#types-kinds`,
    ),
    metadata: described(`${what} ${CONVENTIONS}#${anchor}`, meta),
  };
}

/** The description of the items of a list. */
export function itemsOf(kind: string): string {
  return `List of ${kind}. ${CONVENTIONS}`;
}
