import type { JsonObject } from '../../json/index.ts';
import type { Labels } from '../../selectors/index.ts';

export interface GroupVersionResource {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface GroupVersionKind {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The caller, as a TokenReview names it. */
export interface AdmissionUser {
  readonly name: string;
  /** `''` if the login gives no uid. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What admission rules see of one write: the fields of AdmissionRequest (admission.k8s.io/v1). */
export interface AdmissionAttributes {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The kind of the request's body: Scale for `deployments/scale`. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** `status`, or `''`. */
  readonly subresource: string;
  /** The object's name; `''` for a CREATE with `generateName`. */
  readonly name: string;
  /** `''` for a cluster-scoped object. For a Namespace it is its own name, as in kube-apiserver. */
  readonly namespace: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, with `kind` and `apiVersion`. */
  readonly options: JsonObject | undefined;
  /** The object after the write, with `kind` and `apiVersion`; undefined for DELETE. */
  readonly object: JsonObject | undefined;
  /** The object before the write; undefined for CREATE. */
  readonly oldObject: JsonObject | undefined;
}

/** A resource that serves the same objects in another version or group, for `matchPolicy: Equivalent`. */
export interface EquivalentResource {
  readonly resource: GroupVersionResource;
  /** The kind of this resource, or of its subresource that the write addresses. */
  readonly kind: GroupVersionKind;
}

/** What a match needs besides the write itself. */
export interface MatchFacts {
  /**
   * The labels of the stored Namespace with the name `attributes.namespace`; undefined if there is none. Not read for
   * cluster-scoped objects, nor for the CREATE or UPDATE of a Namespace, whose new labels count.
   */
  readonly namespaceLabels: Labels | undefined;
  readonly equivalents: readonly EquivalentResource[];
}

/** The resource and kind of the rule that matched. They differ from those of the request if it is an equivalent. */
export interface MatchedAs {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** Thrown where kube-apiserver cannot decide whether a rule matches, such as for a namespace that does not exist. */
export class MatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MatchError';
  }
}
