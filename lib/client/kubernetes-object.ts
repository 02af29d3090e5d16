/**
 * An object as Winnow sends it: whole, or a `PartialObjectMetadata` if the Subscription requests that, or if the object
 * does not fit a message (1 MB).
 */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** A decimal integer of any size. Compare it as an integer, not as a string. */
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** What every object has. A type of `@winnow-dev/client/objects` has it too. */
export interface NamedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

/** The key of an object in a replica: `<namespace>/<name>`. The namespace is empty for cluster-scoped objects. */
export function keyOf({ metadata: { namespace = '', name } }: NamedObject): string {
  return `${namespace}/${name}`;
}
