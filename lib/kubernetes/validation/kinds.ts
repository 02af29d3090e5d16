import type { JsonObject } from '../../json/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import type { Errors } from './errors.ts';

type Rule = (body: JsonObject, old?: JsonObject) => Errors;
type Change = (body: JsonObject, old: JsonObject) => Errors;

/** What Kubernetes asks of one kind beside its metadata. */
export interface KindRules {
  /** Of an object, whether it is new or not. */
  readonly content: Rule;
  /** Of a new object, where that is more. */
  readonly created?: Rule;
  /** Of a change; told before the content, or after it. */
  readonly changedFirst?: Change;
  readonly changed?: Change;
  /** Of a change through a subresource, instead. */
  readonly through?: Readonly<Record<string, Change>>;
  /** Of a change of the status alone. */
  readonly status?: Rule;
  /** Whether a change is asked again for what a new object's metadata is asked for. */
  readonly asNew?: boolean;
  /** Whether a new object's metadata is looked at only where nothing else is wrong. */
  readonly metadataLast?: boolean;
}

type Load = () => Promise<{ readonly KINDS: ReadonlyMap<string, KindRules> }>;

const cluster: Load = () => import('./cluster-kinds.ts');
const plain: Load = () => import('./plain-kinds.ts');
const pods: Load = () => import('./pod-kinds.ts');

/** Where the rules of a kind are, by its group; of the core group, by kind. */
const GROUPS: Readonly<Record<string, Load>> = {
  'admissionregistration.k8s.io': cluster,
  'apiregistration.k8s.io': cluster,
  apps: pods,
  autoscaling: cluster,
  batch: pods,
  'certificates.k8s.io': cluster,
  'coordination.k8s.io': plain,
  'discovery.k8s.io': plain,
  'events.k8s.io': cluster,
  'flowcontrol.apiserver.k8s.io': cluster,
  'networking.k8s.io': plain,
  'node.k8s.io': cluster,
  policy: plain,
  'rbac.authorization.k8s.io': plain,
  'scheduling.k8s.io': cluster,
  'storage.k8s.io': cluster,
  'winnow.dev': plain,
};
const CORE: Readonly<Record<string, Load>> = {
  LimitRange: cluster,
  PersistentVolume: cluster,
  PersistentVolumeClaim: cluster,
  Pod: pods,
  PodTemplate: pods,
  ReplicationController: pods,
  ResourceQuota: cluster,
};

/**
 * The rules of one kind, without loading those of all others; undefined where it is asked for its metadata alone.
 * Custom kinds have none, whatever their group is called.
 */
export async function kindRules({
  group,
  kind,
}: Pick<ResourceType, 'group' | 'kind'>): Promise<KindRules | undefined> {
  const load = group === '' ? (own(CORE, kind) ?? plain) : own(GROUPS, group);
  return (await load?.())?.KINDS.get(`${group}/${kind}`);
}

function own(loads: Readonly<Record<string, Load>>, name: string): Load | undefined {
  return Object.hasOwn(loads, name) ? loads[name] : undefined;
}
