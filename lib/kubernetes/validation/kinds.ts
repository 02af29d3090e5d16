import type { ResourceType } from '../resource-types/index.ts';
import type { KindRules } from './kind-rules.ts';

type Load = () => Promise<{ readonly KINDS: ReadonlyMap<string, KindRules> }>;

const admission: Load = async () => {
  const { admissionKinds } = await import('./admission-kinds.ts');
  return { KINDS: await admissionKinds() };
};
const cluster: Load = () => import('./cluster-kinds.ts');
const plain: Load = () => import('./plain-kinds.ts');
const pods: Load = () => import('./pod-kinds.ts');

/** The modules with the rules of kinds, by group. `CORE` maps the kinds of the core group. */
const GROUPS: Readonly<Record<string, Load>> = {
  'admissionregistration.k8s.io': admission,
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
 * Returns the rules of one kind, without loading those of all others. Undefined if only its metadata is checked.
 * Custom kinds never have rules.
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
