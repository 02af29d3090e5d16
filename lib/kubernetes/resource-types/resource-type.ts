import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { CustomKind } from './custom-kind.ts';
import type { StoredAs } from './stored-as.ts';
import type { Subresource } from './subresource.ts';

/** A column of `kubectl get`: the `columnDefinition` in a Table and the function for its cells. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  /** 1: shown only with `-o wide`. */
  readonly priority: 0 | 1;
  readonly description: string;
  /** Returns the cell of `object` at `now` (ms since the epoch). Never throws, whatever is stored. */
  cell(object: JsonObject, now: number): JsonValue;
}

/** A selector in the body of objects of a type. */
export interface BodySelector {
  readonly path: readonly string[];
  readonly kind: 'labelSelector' | 'map';
}

/** The paths of the values that a Scale shows, for types with `/scale`. */
export interface Scaling {
  /** The form of the selector for its pods. `text` is already in the selector language. */
  readonly selector: BodySelector['kind'] | 'text';
  /** Dotted paths of a custom kind. Any other kind uses `spec.replicas`, `status.replicas` and `spec.selector`. */
  readonly paths?: { readonly replicas: string; readonly observed: string; readonly selector?: string };
}

/** The properties of one resource type. */
export interface ResourceType {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural name in the URL. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** The verbs of its objects and collections, as in discovery. */
  readonly verbs: readonly string[];
  /** Whether it has `/status`. */
  readonly status: boolean;
  /**
   * Metadata that a write through `/status` leaves as it was: all of it, or these fields. Such a write sets the rest of
   * the labels, annotations, finalizers and owner references, kind by kind as in kube-apiserver.
   */
  readonly statusKeeps?: 'metadata' | readonly ('labels' | 'ownerReferences')[];
  /** Whether a change of more than metadata and status increments `metadata.generation`. */
  readonly countsGeneration?: boolean;
  /** Whether a PUT creates an object that does not exist: Kubernetes' AllowCreateOnUpdate. */
  readonly createOnUpdate?: boolean;
  /** Whether its objects select others: `always` each of them, `sometimes` those that set the field. */
  readonly carriesSelectors?: 'always' | 'sometimes';
  /** Whether its objects are Events. A caller who may see an object may see the Events about it. */
  readonly isEvent?: boolean;
  /**
   * Set if its objects decide the permissions of users (`permissions`), the user of a login (`identities`), or which
   * writes of others are admitted (`writes`).
   */
  readonly decides?: 'permissions' | 'identities' | 'writes';
  /**
   * For a type that is answered and not stored: the answer depends only on the caller's own permissions, or only on
   * objects that the caller may see. Absent: it may depend on all objects.
   */
  readonly answersFrom?: 'caller' | 'visible objects';
  readonly scale?: Scaling;
  /** Its other subresources below `/<name>/`. */
  readonly subresources?: readonly Subresource[];
  /** Whether kubectl knows its Go type. For such types, kubectl sends strategic merge patches. */
  readonly builtin: boolean;
  /** Whether DELETE returns the deleted object and not a Status. Typed clients decode the type that they expect. */
  readonly answersDeleted?: boolean;
  /** The rule for names of its objects: `path` is anything that fits into one path segment, `address` an IP address. */
  readonly nameRule: 'subdomain' | 'label' | 'label1035' | 'path' | 'address';
  /** The fields that field selectors may name, besides metadata.name and metadata.namespace. */
  readonly fields: readonly string[];
  /** Selectors that are validated on write. */
  readonly selectors: readonly BodySelector[];
  /** The columns of its Table besides the name, for a type that a CustomResourceDefinition defines. */
  readonly columns?: readonly Column[];
  /** The description in OpenAPI documents, of a kind that Kubernetes does not have. */
  readonly description?: string;
  /**
   * The OpenAPI schemas of the top-level fields, without apiVersion, kind and metadata, for a type that is not
   * Kubernetes'.
   */
  readonly properties: Readonly<Record<string, JsonObject>>;
  /** The warning for every request for its objects. */
  readonly warning?: string;
  /** The stored version, if this type is another version of a stored type. */
  readonly storedAs?: StoredAs;
  /** The custom kind, for a type that a CustomResourceDefinition defines. */
  readonly custom?: CustomKind;
}
