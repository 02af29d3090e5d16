import { describe, expect, it } from '@jest/globals';
import { DECIDES_RIGHTS } from '../../../../infra/constructs/rights/permissions.ts';
import {
  collectionOfType,
  findResourceType,
  resourceTypes,
} from '../../../../lib/kubernetes/resource-types/index.ts';
import { ACCESS_COLLECTIONS, BRIEF_COLLECTIONS } from '../../../../lib/store/index.ts';

describe('the resource types', () => {
  it('every resource type has unique names', () => {
    const names = resourceTypes.flatMap(({ group, version, resource, singular, shortNames }) =>
      [...new Set([resource, singular, ...shortNames])].map((name) => `${group}/${version}/${name}`),
    );
    expect(new Set(names).size).toBe(names.length);
    const paths = resourceTypes.map(({ group, version, resource }) =>
      findResourceType(group, version, resource),
    );
    expect(paths).toEqual(resourceTypes);
  });

  it.each([
    ['', 'namespaces', 'label'],
    ['', 'services', 'label1035'],
    ['', 'pods', 'subdomain'],
    ['apps', 'statefulsets', 'label'],
    ['winnow.dev', 'subscriptions', 'subdomain'],
  ])('the objects of %s/%s follow the name rule of Kubernetes', (group, resource, nameRule) => {
    expect(findResourceType(group, 'v1', resource)).toMatchObject({ nameRule });
  });

  it("the cluster-scoped types are those of Kubernetes and Winnow's own", () => {
    const cluster = resourceTypes.filter(({ scope }) => scope === 'Cluster').map(({ resource }) => resource);
    expect(cluster).toEqual([
      'componentstatuses',
      'namespaces',
      'nodes',
      'persistentvolumes',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
      'customresourcedefinitions',
      'apiservices',
      'selfsubjectreviews',
      'tokenreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
      'certificatesigningrequests',
      'flowschemas',
      'prioritylevelconfigurations',
      'ipaddresses',
      'ingressclasses',
      'servicecidrs',
      'runtimeclasses',
      'clusterrolebindings',
      'clusterroles',
      'priorityclasses',
      'csidrivers',
      'csinodes',
      'storageclasses',
      'volumeattachments',
      'accessentries',
      'clusteraccessgrants',
      'placementreviews',
      'reachabilityreviews',
      'selectionreviews',
    ]);
  });

  it('the category "all" has the types of Kubernetes', () => {
    const all = resourceTypes
      .filter(({ categories }) => categories.includes('all'))
      .map(({ resource }) => resource);
    expect(all).toEqual([
      'pods',
      'replicationcontrollers',
      'services',
      'daemonsets',
      'deployments',
      'replicasets',
      'statefulsets',
      'horizontalpodautoscalers',
      'horizontalpodautoscalers',
      'cronjobs',
      'jobs',
    ]);
  });

  it('the resource types name the paths of the selectors in their bodies', () => {
    const selectors = resourceTypes.flatMap(({ resource, selectors: own }) =>
      own.map(({ path, kind }) => `${resource} ${path.join('.')} ${kind}`),
    );
    expect(selectors).toEqual([
      'replicationcontrollers spec.selector map',
      'services spec.selector map',
      'daemonsets spec.selector labelSelector',
      'deployments spec.selector labelSelector',
      'replicasets spec.selector labelSelector',
      'statefulsets spec.selector labelSelector',
      'jobs spec.selector labelSelector',
      'networkpolicies spec.podSelector labelSelector',
      'poddisruptionbudgets spec.selector labelSelector',
    ]);
  });

  it("kubectl knows every type except Winnow's own", () => {
    expect(resourceTypes.filter(({ builtin }) => !builtin).map(({ kind }) => kind)).toEqual([
      'AccessEntry',
      'AccessGrant',
      'ClusterAccessGrant',
      'Canary',
      'History',
      'PlacementReview',
      'ReachabilityReview',
      'SelectionReview',
      'Subscription',
      'Tally',
    ]);
  });

  it('Every type that decides permissions or identities has its version in the access row', () => {
    const deciding = resourceTypes.filter(({ decides }) => decides !== undefined).map(collectionOfType);
    expect(deciding.toSorted()).toEqual(ACCESS_COLLECTIONS.toSorted());
  });

  it('Events, Leases and Canaries have a brief history', () => {
    const brief = resourceTypes.filter(
      ({ isEvent, kind }) => isEvent === true || kind === 'Lease' || kind === 'Canary',
    );
    expect([...new Set(brief.map(collectionOfType))].toSorted()).toEqual(BRIEF_COLLECTIONS.toSorted());
  });

  it('The functions that decide the rights of authors may read every type that decides permissions', () => {
    const deciding = resourceTypes.filter(({ decides }) => decides === 'permissions').map(collectionOfType);
    const mayRead = (one: string) =>
      DECIDES_RIGHTS.some((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`).test(one));
    expect(deciding.filter((one) => !mayRead(one))).toEqual([]);
    expect(mayRead('core/pods')).toBe(false);
  });
});
