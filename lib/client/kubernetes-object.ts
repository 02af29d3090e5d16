/** An object as Winnow sends it: the whole one, or a `PartialObjectMetadata` where the Subscription says so. */
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
  /** A decimal integer of any size: compare it as one. */
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** By what a replica tells objects apart: `<namespace>/<name>`, the namespace empty where there is none. */
export function keyOf({ metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}
