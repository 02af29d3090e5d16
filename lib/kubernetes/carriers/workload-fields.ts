import type { Collection } from '../../json/index.ts';
import type { SelectorForm } from './read-selector.ts';

/** The field in which objects of a kind hold the selector of their own pods, in their own namespace. */
export interface SelectorField {
  readonly path: string;
  readonly form: SelectorForm;
  /** The meaning of an absent selector, and of one that restricts nothing. */
  readonly absent: 'nothing' | 'everything';
  readonly empty: 'nothing' | 'everything';
}

/**
 * The controllers of these kinds treat an absent selector as matching nothing. An empty one that was not refused is
 * treated alike.
 */
const CONTROLLER: SelectorField = {
  path: 'spec.selector',
  form: 'labelSelector',
  absent: 'nothing',
  empty: 'nothing',
};

/**
 * The selectors of built-in kinds, as Kubernetes' controllers read them:
 * `k8s.io/client-go/listers/{apps,batch,core,policy}/v1/*_expansion.go`, the endpoints and the disruption
 * controllers, and the NetworkPolicy reference.
 */
export const WORKLOAD_FIELDS: Readonly<Record<Collection, SelectorField>> = {
  'core/services': { ...CONTROLLER, form: 'map' },
  // Without a selector, it gets the one of its template when it is written.
  'core/replicationcontrollers': { ...CONTROLLER, form: 'map' },
  'apps/replicasets': CONTROLLER,
  'apps/deployments': CONTROLLER,
  'apps/statefulsets': CONTROLLER,
  'apps/daemonsets': CONTROLLER,
  // The selector is generated, unless `manualSelector` is set.
  'batch/jobs': { ...CONTROLLER, empty: 'everything' },
  'batch/cronjobs': { ...CONTROLLER, path: 'spec.jobTemplate.spec.selector', empty: 'everything' },
  'policy/poddisruptionbudgets': { ...CONTROLLER, empty: 'everything' },
  'networking.k8s.io/networkpolicies': {
    path: 'spec.podSelector',
    form: 'labelSelector',
    absent: 'everything',
    empty: 'everything',
  },
};

/** The field in which a kind holds the pod spec: of the pods that it creates, or its own. */
export const POD_SPEC_FIELDS: Readonly<Record<Collection, string>> = {
  'core/pods': 'spec',
  'core/podtemplates': 'template.spec',
  'core/replicationcontrollers': 'spec.template.spec',
  'apps/replicasets': 'spec.template.spec',
  'apps/deployments': 'spec.template.spec',
  'apps/statefulsets': 'spec.template.spec',
  'apps/daemonsets': 'spec.template.spec',
  'batch/jobs': 'spec.template.spec',
  'batch/cronjobs': 'spec.jobTemplate.spec.template.spec',
};
