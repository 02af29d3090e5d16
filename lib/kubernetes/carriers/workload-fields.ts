import type { Collection } from '../../json/index.ts';
import type { SelectorForm } from './read-selector.ts';

/** Where objects of a kind have the selector of the pods that are theirs, in their own namespace. */
export interface SelectorField {
  readonly path: string;
  readonly form: SelectorForm;
  /** What is selected where there is no selector, and where it restricts nothing. */
  readonly absent: 'nothing' | 'everything';
  readonly empty: 'nothing' | 'everything';
}

/** An absent one, and an empty one that nothing refused, are taken for none by the controllers of these kinds. */
const CONTROLLER: SelectorField = {
  path: 'spec.selector',
  form: 'labelSelector',
  absent: 'nothing',
  empty: 'nothing',
};

/**
 * As Kubernetes' own controllers have it: `k8s.io/client-go/listers/{apps,batch,core,policy}/v1/*_expansion.go`, the
 * endpoints and the disruption controllers, and the NetworkPolicy reference.
 */
export const WORKLOAD_FIELDS: Readonly<Record<Collection, SelectorField>> = {
  'core/services': { ...CONTROLLER, form: 'map' },
  // One without a selector has had that of its template since it was written.
  'core/replicationcontrollers': { ...CONTROLLER, form: 'map' },
  'apps/replicasets': CONTROLLER,
  'apps/deployments': CONTROLLER,
  'apps/statefulsets': CONTROLLER,
  'apps/daemonsets': CONTROLLER,
  // Generated, but where `manualSelector` says otherwise.
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

/** Where a kind has the spec of the pods that it makes, or of itself. */
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
