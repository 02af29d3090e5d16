/**
 * The fields of Kubernetes' objects that placement reads. Objects may have further fields. A null field counts as
 * absent.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
 */

/** `{ cpu: '500m', memory: '1Gi' }` */
export type ResourceList = Readonly<Record<string, string | number>>;

type Maybe<T> = T | null | undefined;
type List<T> = Maybe<readonly T[]>;
type StringMap = Maybe<Readonly<Record<string, string>>>;

export interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: StringMap;
  readonly deletionTimestamp?: Maybe<string>;
  readonly ownerReferences?: List<OwnerReference>;
}

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly controller?: Maybe<boolean>;
}

/** The fields that all kinds of a world have in common. */
export interface Named {
  readonly metadata?: Maybe<Metadata>;
}

export interface Node extends Named {
  readonly spec?: Maybe<{ readonly unschedulable?: Maybe<boolean>; readonly taints?: List<Taint> }>;
  readonly status?: Maybe<{ readonly allocatable?: Maybe<ResourceList>; readonly images?: List<NodeImage> }>;
}

export interface Taint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface NodeImage {
  readonly names?: List<string>;
  readonly sizeBytes?: number;
}

export interface Pod extends Named {
  readonly spec?: Maybe<PodSpec>;
  readonly status?: Maybe<PodStatus>;
}

export interface PodSpec {
  readonly schedulerName?: Maybe<string>;
  readonly nodeName?: Maybe<string>;
  readonly nodeSelector?: StringMap;
  readonly priority?: Maybe<number>;
  readonly affinity?: Maybe<Affinity>;
  readonly tolerations?: List<Toleration>;
  readonly topologySpreadConstraints?: List<TopologySpreadConstraint>;
  readonly containers?: List<Container>;
  readonly initContainers?: List<Container>;
  readonly overhead?: Maybe<ResourceList>;
}

export interface PodStatus {
  readonly phase?: Maybe<string>;
  readonly nominatedNodeName?: Maybe<string>;
  readonly conditions?: List<{ readonly type?: string; readonly reason?: string }>;
  readonly containerStatuses?: List<ContainerStatus>;
  readonly initContainerStatuses?: List<ContainerStatus>;
}

export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly restartPolicy?: Maybe<string>;
  readonly resources?: Maybe<{ readonly requests?: Maybe<ResourceList> }>;
  readonly ports?: List<ContainerPort>;
}

export interface ContainerStatus {
  readonly name?: string;
  readonly resources?: Maybe<{ readonly requests?: Maybe<ResourceList> }>;
  readonly allocatedResources?: Maybe<ResourceList>;
}

export interface ContainerPort {
  readonly hostPort?: Maybe<number>;
  readonly hostIP?: Maybe<string>;
  readonly protocol?: Maybe<string>;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** A label selector. `@winnow-dev/selectors` parses it and reports its errors. */
export interface Affinity {
  readonly nodeAffinity?: Maybe<NodeAffinity>;
  readonly podAffinity?: Maybe<PodAffinity>;
  readonly podAntiAffinity?: Maybe<PodAffinity>;
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: Maybe<{
    readonly nodeSelectorTerms?: List<NodeTerm>;
  }>;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: List<{
    readonly weight: number;
    readonly preference?: Maybe<NodeTerm>;
  }>;
}

export interface NodeTerm {
  readonly matchExpressions?: List<NodeRequirement>;
  readonly matchFields?: List<NodeRequirement>;
}

export interface NodeRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: List<string>;
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: List<PodAffinityTerm>;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: List<{
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }>;
}

/**
 * A term of a pod affinity. kube-apiserver merges `matchLabelKeys` and `mismatchLabelKeys` into `labelSelector` when
 * it creates a pod; placement does not read them.
 */
export interface PodAffinityTerm {
  readonly labelSelector?: unknown;
  readonly namespaceSelector?: unknown;
  readonly namespaces?: List<string>;
  readonly topologyKey?: string;
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: unknown;
  readonly minDomains?: Maybe<number>;
  readonly nodeAffinityPolicy?: Maybe<string>;
  readonly nodeTaintsPolicy?: Maybe<string>;
  readonly matchLabelKeys?: List<string>;
}

export type Namespace = Named;

/** A Service or a ReplicationController: its selector is a map. */
export interface MapSelecting extends Named {
  readonly spec?: Maybe<{ readonly selector?: StringMap }>;
}

/** A ReplicaSet or a StatefulSet: its selector is a LabelSelector. */
export interface Selecting extends Named {
  readonly spec?: Maybe<{ readonly selector?: unknown }>;
}
