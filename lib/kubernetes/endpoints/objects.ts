/**
 * The fields that are read of services, pods and nodes. The objects are validated and defaulted, as kube-apiserver
 * stores them. Other fields are ignored. Null counts as absent.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/service-resources/service-v1/
 */
export interface Service {
  readonly metadata: Metadata;
  readonly spec?: Maybe<{
    readonly type?: Maybe<string>;
    readonly selector?: StringMap;
    readonly clusterIP?: Maybe<string>;
    readonly ipFamilies?: List<string>;
    readonly ports?: List<ServicePort>;
    readonly publishNotReadyAddresses?: Maybe<boolean>;
    readonly trafficDistribution?: Maybe<string>;
  }>;
}

export interface ServicePort {
  readonly name?: Maybe<string>;
  readonly protocol?: Maybe<string>;
  readonly port: number;
  readonly targetPort?: Maybe<number | string>;
  readonly appProtocol?: Maybe<string>;
}

export interface Pod {
  readonly metadata: Metadata;
  readonly spec?: Maybe<{
    readonly nodeName?: Maybe<string>;
    readonly hostname?: Maybe<string>;
    readonly subdomain?: Maybe<string>;
    readonly containers?: List<Container>;
    readonly initContainers?: List<Container>;
  }>;
  readonly status?: Maybe<{
    readonly phase?: Maybe<string>;
    readonly podIP?: Maybe<string>;
    readonly podIPs?: List<{ readonly ip?: Maybe<string> }>;
    readonly conditions?: List<{ readonly type: string; readonly status: string }>;
  }>;
}

export interface Container {
  readonly restartPolicy?: Maybe<string>;
  readonly ports?: List<{
    readonly name?: Maybe<string>;
    readonly protocol?: Maybe<string>;
    readonly containerPort: number;
  }>;
}

export interface Node {
  readonly metadata: { readonly name: string; readonly labels?: StringMap };
}

/** Metadata of an object. Its other fields, such as `resourceVersion`, are kept in objects derived from it. */
export interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly deletionTimestamp?: Maybe<string>;
  readonly ownerReferences?: List<OwnerReference>;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: Maybe<boolean>;
  readonly blockOwnerDeletion?: Maybe<boolean>;
}

export interface ObjectReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoint-slice-v1/ */
export interface EndpointSlice {
  readonly metadata: Metadata;
  readonly addressType: string;
  readonly ports?: List<EndpointPort>;
  readonly endpoints?: List<Endpoint>;
}

/** A port of a slice or of Endpoints. */
export interface EndpointPort {
  readonly name?: Maybe<string>;
  readonly protocol?: Maybe<string>;
  readonly port?: Maybe<number>;
  readonly appProtocol?: Maybe<string>;
}

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: Maybe<{
    readonly ready?: Maybe<boolean>;
    readonly serving?: Maybe<boolean>;
    readonly terminating?: Maybe<boolean>;
  }>;
  readonly hostname?: Maybe<string>;
  readonly nodeName?: Maybe<string>;
  readonly zone?: Maybe<string>;
  readonly targetRef?: Maybe<ObjectReference>;
  readonly hints?: Maybe<Hints>;
}

export interface Hints {
  readonly forZones?: List<{ readonly name: string }>;
  readonly forNodes?: List<{ readonly name: string }>;
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoints-v1/ */
export interface Endpoints {
  readonly metadata: Metadata;
  readonly subsets?: List<EndpointSubset>;
}

export interface EndpointSubset {
  readonly addresses?: List<EndpointAddress>;
  readonly notReadyAddresses?: List<EndpointAddress>;
  readonly ports?: List<EndpointPort>;
}

export interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: Maybe<string>;
  readonly nodeName?: Maybe<string>;
  readonly targetRef?: Maybe<ObjectReference>;
}

type Maybe<T> = T | null | undefined;
type List<T> = Maybe<readonly T[]>;
type StringMap = Maybe<Readonly<Record<string, string>>>;
