/**
 * The fields of Kubernetes' objects from which statuses of workloads are computed. An absent value counts as empty.
 */

type Labels = Readonly<Record<string, string>>;

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Labels | null;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string | null;
  readonly ownerReferences?: readonly OwnerReference[] | null;
}

export interface OwnerReference {
  readonly uid: string;
  readonly controller?: boolean | null;
}

export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown` */
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly lastUpdateTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

export interface Pod {
  readonly metadata: Metadata;
  readonly spec?: PodSpec | null;
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] | null } | null;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly nodeSelector?: Labels | null;
  readonly affinity?: { readonly nodeAffinity?: NodeAffinity | null } | null;
  readonly tolerations?: readonly Toleration[] | null;
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | null;
}

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeTerm[] | null;
}

export interface NodeTerm {
  readonly matchFields?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | null;
      }[]
    | null;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Node {
  readonly metadata: Metadata;
  readonly spec?: { readonly taints?: readonly Taint[] | null } | null;
}

export interface PodTemplate {
  readonly metadata?: { readonly labels?: Labels | null } | null;
  readonly spec?: PodSpec | null;
}

/** The common fields of the five kinds. */
export interface Workload {
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: WorkloadSpec;
  readonly status?: WorkloadStatus | null;
}

export interface WorkloadSpec {
  readonly replicas?: number | null;
  /** A LabelSelector; for a ReplicationController, a map of labels. */
  readonly selector?: unknown;
  readonly template?: PodTemplate | null;
  readonly minReadySeconds?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number | null;
  /** Only of a Deployment. */
  readonly strategy?: UpdateStrategy | null;
  /** Only of a StatefulSet or a DaemonSet. */
  readonly updateStrategy?: UpdateStrategy | null;
}

export interface UpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: {
    /** A number, or a percentage of the replicas: `25%`. */
    readonly maxSurge?: number | string | null;
    readonly maxUnavailable?: number | string | null;
  } | null;
}

export interface WorkloadStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly conditions?: readonly Condition[] | null;
}
