import fc from 'fast-check';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import { anyName, labels, namespace, stored } from './administering.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1';
const WINNOW = '/apis/winnow.dev/v1';
/** Reviews, evictions and bindings of pods, and dry runs of Subscriptions and Tallies. */
export const reviewing: fc.Arbitrary<Asked> = fc
  .record({ of: stored, namespace, name: anyName, labels })
  .chain(({ of, namespace: where, name: named, labels: wanted }) =>
    fc.constantFrom<Asked>(
      review(`${WINNOW}/selectionreviews`, 'SelectionReview', {
        resource: { resource: 'pods' },
        namespace: where,
        name: named,
        labels: wanted,
      }),
      review(`${WINNOW}/selectionreviews`, 'SelectionReview', {
        resource: { resource: 'pods' },
        namespace: where,
        labels: wanted,
      }),
      review(`${WINNOW}/reachabilityreviews`, 'ReachabilityReview', {
        from: { pod: { namespace: where, name: named } },
        to: { pod: { namespace: where, name: 'a' } },
        port: 80,
      }),
      review(`${WINNOW}/placementreviews`, 'PlacementReview', { namespace: where, pod: named }),
      review(`${REVIEWS}/selfsubjectaccessreviews`, 'SelfSubjectAccessReview', {
        resourceAttributes: { verb: 'get', resource: of.resource, namespace: where, name: named },
      }),
      review(`${REVIEWS}/selfsubjectrulesreviews`, 'SelfSubjectRulesReview', { namespace: where }),
      review(`${REVIEWS}/subjectaccessreviews`, 'SubjectAccessReview', {
        user: 'tenant',
        resourceAttributes: { verb: 'get', resource: of.resource, namespace: where, name: named },
      }),
      {
        method: 'POST',
        target: `/api/v1/namespaces/${where}/pods/${named}/eviction`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: named, namespace: where } },
      },
      {
        method: 'POST',
        target: `/api/v1/namespaces/${where}/pods/${named}/binding`,
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: named },
          target: { kind: 'Node', name: 'g' },
        },
      },
      review(`${WINNOW}/namespaces/${where}/subscriptions?dryRun=All`, 'Subscription', {
        resource: { resource: of.resource },
      }),
      review(`${WINNOW}/namespaces/${where}/tallies?dryRun=All`, 'Tally', {
        resource: { resource: of.resource },
      }),
    ),
  );

function review(target: string, kindOf: string, spec: JsonObject): Asked {
  const apiVersion = target.split('/').slice(2, 4).join('/');
  const isKept = kindOf === 'Subscription' || kindOf === 'Tally';
  const metadata = isKept && { metadata: { name: 'mine', labels: { team: 'a', public: 'yes' } } };
  return { method: 'POST', target, body: { apiVersion, kind: kindOf, ...metadata, spec } };
}
