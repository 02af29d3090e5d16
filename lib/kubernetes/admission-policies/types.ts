import type { Authorizer } from '../../cel/libraries/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type {
  AdmissionAttributes,
  GroupVersionKind,
  MatchedAs,
  MatchFacts,
} from '../admission-match/index.ts';
import type { CompiledPolicy } from './compiled-policy.ts';

/** A policy with the bindings that name it. Policies without bindings do not count. */
export interface BoundPolicy {
  readonly policy: CompiledPolicy;
  /** ValidatingAdmissionPolicyBindings, in the order in which they decide. */
  readonly bindings: readonly JsonObject[];
}

/** What choosing policies needs besides the write. */
export interface PolicyFacts extends MatchFacts {
  /** Returns the scope of a served kind; undefined if the API does not serve it. */
  readonly scopeOf: (kind: GroupVersionKind) => 'Cluster' | 'Namespaced' | undefined;
}

/** The parameters that a binding asks for. The server reads them before the policies decide. */
export interface ParamQuery {
  readonly kind: GroupVersionKind;
  /** `''` for cluster-scoped parameters. */
  readonly namespace: string;
  /** The name of one object; undefined if a selector chooses. */
  readonly name: string | undefined;
  /** The label selector, as a LabelSelector object; undefined if there is a name. */
  readonly selector: JsonObject | undefined;
}

/** A policy that matches a write, or whose configuration is wrong. */
export type Invocation = BindingInvocation | FailedInvocation;

/** A policy and a binding that match a write. */
export interface BindingInvocation {
  readonly policy: CompiledPolicy;
  readonly binding: JsonObject;
  readonly matchedAs: MatchedAs;
  /** Undefined if the policy has no `paramKind` or the binding no `paramRef`: `params` is null then. */
  readonly params: ParamQuery | undefined;
}

/** An error of the configuration. It denies the write if the policy's `failurePolicy` is `Fail`. */
export interface FailedInvocation {
  readonly policy: CompiledPolicy;
  /** Undefined if the error is the policy's. */
  readonly binding: JsonObject | undefined;
  /** `paramRef.namespace must not be provided for a cluster-scoped …` */
  readonly error: string;
}

/** An error of the configuration: the policy's `failurePolicy` says whether it denies the write. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** What policies decide about. */
export interface Judged {
  readonly attributes: AdmissionAttributes;
  /** The stored Namespace; undefined for cluster-scoped objects and for Namespaces themselves. */
  readonly namespaceObject: JsonObject | undefined;
  /**
   * Returns the objects of a query, with `kind` and `apiVersion`, in the order of their names. Empty if there are none.
   *
   * @throws {ConfigurationError} they cannot be read, which the policy's `failurePolicy` judges
   */
  readonly paramsOf: (query: ParamQuery) => readonly JsonObject[];
  readonly authorizer: Authorizer;
  /**
   * Converts an object to another kind of the same resource. Called only where a rule matched an equivalent.
   *
   * @throws {ConfigurationError} it cannot be converted
   */
  readonly convert: (object: JsonObject, kind: GroupVersionKind) => JsonObject;
  /** The time in milliseconds. With it, one expression may take a second. */
  readonly now?: (() => number) | undefined;
}

/** The first denial. The answer has it as status; its cause has the same message. */
export interface Denial {
  readonly code: 401 | 403 | 413 | 422;
  /** `Unauthorized`, `Forbidden`, `RequestEntityTooLarge` or `Invalid` */
  readonly reason: string;
  /**
   * `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: …`. The server puts
   * `deployments.apps "x" is forbidden: ` before it; the cause has no such prefix.
   */
  readonly message: string;
}

export interface Verdict {
  /** Undefined if the write is admitted. */
  readonly denial: Denial | undefined;
  /** Texts of warning headers: `Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': …` */
  readonly warnings: readonly string[];
  /** By key: `validation.policy.admission.k8s.io/validation_failure`, and `<policy>/<key>`. */
  readonly auditAnnotations: ReadonlyMap<string, string>;
}
