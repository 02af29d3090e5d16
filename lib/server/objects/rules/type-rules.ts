import { type Collection, type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { customRules } from './custom-rules.ts';
import { daemonSetRules } from './daemon-set-rules.ts';
import { definitionRules } from './definition-rules.ts';
import { namespaceRules } from './namespace-rules.ts';
import { podRules } from './pod-rules.ts';
import { protectedRules } from './protected-rules.ts';
import type { TypeRules } from './rules.ts';
import { secretRules } from './secret-rules.ts';
import { subscriptionRules } from './subscription-rules.ts';
import { tallyRules } from './tally-rules.ts';

/** The claim with its data source in both fields: the old one, and a newer one that can express more. */
function withSources(claim: JsonObject): JsonObject {
  const spec = objectAt(claim.spec ?? {});
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) {
    return { ...claim, spec: { ...spec, dataSourceRef: dataSource } };
  }
  const isPlain = dataSourceRef !== undefined && (objectAt(dataSourceRef).namespace ?? '') === '';
  if (dataSource !== undefined || !isPlain) return claim;
  return { ...claim, spec: { ...spec, dataSource: dataSourceRef } };
}

/** The rules of PersistentVolumes. A new volume has the time of its last phase transition. */
const volumeRules = protectedRules('core/persistentvolumes', {
  prepare: (body, old) => {
    const { creationTimestamp = null } = metadataOf(body);
    const status = { ...objectAt(body.status), lastPhaseTransitionTime: creationTimestamp };
    return old === undefined ? { ...body, status } : body;
  },
});

/** The rules of APIServices. A new one without a service is local, and therefore available. */
const apiServiceRules: TypeRules = {
  prepare: (body, old) => {
    if (old !== undefined || objectAt(body.spec).service !== undefined) return body;
    const { creationTimestamp: lastTransitionTime = null } = metadataOf(body);
    const message = 'Local APIServices are always available';
    const local = { type: 'Available', status: 'True', lastTransitionTime, reason: 'Local', message };
    return { ...body, status: { conditions: [local] } };
  },
};

/** The rules of Jobs, loaded when one is written. */
const jobRules: TypeRules = {
  prepare: async (...given) => (await import('./job-rules.ts')).jobRules.prepare(...given),
};

/** The rules of CertificateSigningRequests, loaded when one is written. */
const certificateRules: TypeRules = {
  sentBy: async (...given) => (await import('./certificate-rules.ts')).certificateRules.sentBy(...given),
  prepare: async (...given) => (await import('./certificate-rules.ts')).certificateRules.prepare(...given),
};

/** The rules of Nodes, loaded when one is written. */
const nodeRules: TypeRules = {
  prepare: async (...given) => (await import('./node-rules.ts')).nodeRules.prepare(...given),
  takesStatus: true,
};

/** The rules of Services, loaded when one is written. */
const serviceRules: TypeRules = {
  prepare: async (body, old) => (await import('./service-rules.ts')).serviceRules.prepare(body, old),
};

/** The rules of access grants, loaded when one is written. */
const grantRules: TypeRules = {
  prepare: async (...given) => (await import('./access-grant-rules.ts')).accessGrantRules.prepare(...given),
};

/** The rules of AccessEntries, loaded when one is written. */
const entryRules: TypeRules = {
  validate: async (...given) => (await import('./access-entry-rules.ts')).accessEntryRules.validate(...given),
};

const RULES: ReadonlyMap<Collection, TypeRules> = new Map<Collection, TypeRules>([
  ['core/namespaces', namespaceRules],
  ['core/limitranges', { namesItself: true }],
  ['core/nodes', nodeRules],
  [
    'core/persistentvolumeclaims',
    protectedRules('core/persistentvolumeclaims', {
      initialStatus: { phase: 'Pending' },
      prepare: (body) => withSources(body),
    }),
  ],
  ['core/persistentvolumes', volumeRules],
  ['core/pods', podRules],
  ['core/secrets', secretRules],
  ['core/services', serviceRules],
  ['apiextensions.k8s.io/customresourcedefinitions', definitionRules],
  ['apiregistration.k8s.io/apiservices', apiServiceRules],
  ['apps/daemonsets', daemonSetRules],
  ['batch/jobs', jobRules],
  ['certificates.k8s.io/certificatesigningrequests', certificateRules],
  ['winnow.dev/accessentries', entryRules],
  ['winnow.dev/accessgrants', grantRules],
  ['winnow.dev/clusteraccessgrants', grantRules],
  ['winnow.dev/subscriptions', subscriptionRules],
  ['winnow.dev/tallies', tallyRules],
]);

const NONE: TypeRules = {};

export function rulesOf(
  type: Pick<ResourceType, 'group' | 'resource' | 'custom' | 'scale' | 'storedAs'>,
): TypeRules {
  if (type.custom !== undefined) return customRules(type.custom, type.scale);
  return RULES.get(collectionOfType(type)) ?? NONE;
}
