import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { CustomKind } from './custom-kind.ts';
import type { StoredAs } from './stored-as.ts';
import type { Subresource } from './subresource.ts';

/** One column of `kubectl get`, as a `columnDefinition` of a Table and the cell that fills it. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  /** 1: only with `-o wide`. */
  readonly priority: 0 | 1;
  readonly description: string;
  /** What stands in the column for `object` at `now` (ms since the epoch). Never throws, whatever was stored. */
  cell(object: JsonObject, now: number): JsonValue;
}

/** A selector that objects of a type carry in their own body. */
export interface BodySelector {
  readonly path: readonly string[];
  readonly kind: 'labelSelector' | 'map';
}

/** Where an object of a type with `/scale` has what a Scale shows, each a dotted path. */
export interface Scaling {
  /** How it says which pods are its: `text` is written out already. */
  readonly selector: BodySelector['kind'] | 'text';
  /** Of a custom kind; `spec.replicas`, `status.replicas` and `spec.selector` of any other. */
  readonly paths?: { readonly replicas: string; readonly observed: string; readonly selector?: string };
}

/** Everything the API knows about one type of resource. */
export interface ResourceType {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural in the URL. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** What can be asked of its objects and collections, in discovery's words. */
  readonly verbs: readonly string[];
  /** Whether it has `/status`. */
  readonly status: boolean;
  /**
   * Metadata that a write through `/status` leaves as it was: all of it, or these fields. Such a write sets the rest of
   * the labels, annotations, finalizers and owner references, kind by kind as in kube-apiserver.
   */
  readonly statusKeeps?: 'metadata' | readonly ('labels' | 'ownerReferences')[];
  readonly scale?: Scaling;
  /** What it has below `/<name>/` besides those two. */
  readonly subresources?: readonly Subresource[];
  /** Whether kubectl knows its Go type: then it sends strategic merge patches. */
  readonly builtin: boolean;
  /** Whether DELETE answers the object that is gone, and not a Status: typed clients decode what they expect. */
  readonly answersDeleted?: boolean;
  /** The form of the names of its objects. `path` is anything that fits into one segment of a path, `address` an IP address. */
  readonly nameRule: 'subdomain' | 'label' | 'label1035' | 'path' | 'address';
  /** What a field selector may name, beyond metadata.name and metadata.namespace. */
  readonly fields: readonly string[];
  /** Validated on write. */
  readonly selectors: readonly BodySelector[];
  /** Of a type that a CustomResourceDefinition has made: the columns of its Table beside the name. */
  readonly columns?: readonly Column[];
  readonly description: string;
  /** OpenAPI schemas of the top-level fields beside apiVersion, kind and metadata, of a type that is not Kubernetes'. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  /** What everybody is told who asks for its objects. */
  readonly warning?: string;
  /** Of a type that is another version of one whose objects are kept. */
  readonly storedAs?: StoredAs;
  /** Of a type that a CustomResourceDefinition has made. */
  readonly custom?: CustomKind;
}
