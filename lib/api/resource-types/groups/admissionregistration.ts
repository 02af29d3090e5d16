import type { JsonObject } from '../../../store/index.ts';
import { valueAt } from '../../../store/index.ts';
import { AGE, type Column, field, formatLabelSelector, integer, NAME, text } from '../columns.ts';
import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';

const EXTENSION = {
  categories: ['api-extensions'],
  scope: 'Cluster',
} as const satisfies Partial<ResourceDefinition>;

const WEBHOOKS: readonly Column[] = [
  NAME,
  integer('Webhooks', 'How many it has.', (o) => listAt(o, 'webhooks').length),
  AGE,
];

/** admissionregistration.k8s.io/v1: inventory. No webhook is called, and no policy asked, which a warning says. */
export const admissionregistration = defineResourceTypes('admissionregistration.k8s.io', 'v1', [
  {
    ...EXTENSION,
    kind: 'MutatingWebhookConfiguration',
    resource: 'mutatingwebhookconfigurations',
    description: 'MutatingWebhookConfiguration says who may change what is written.',
    columns: WEBHOOKS,
  },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicy',
    resource: 'validatingadmissionpolicies',
    description: 'ValidatingAdmissionPolicy says what may be written.',
    status: true,
    columns: [
      NAME,
      integer('Validations', 'How many rules it has.', (o) => listAt(o, 'spec.validations').length),
      text('ParamKind', 'The kind of its parameters.', paramKind),
      AGE,
    ],
  },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
    description: 'ValidatingAdmissionPolicyBinding says where a policy holds.',
    columns: [
      NAME,
      field('PolicyName', 'spec.policyName', 'The policy.', ''),
      text('ParamRef', 'Its parameters.', paramRef),
      AGE,
    ],
  },
  {
    ...EXTENSION,
    kind: 'ValidatingWebhookConfiguration',
    resource: 'validatingwebhookconfigurations',
    description: 'ValidatingWebhookConfiguration says who may refuse what is written.',
    columns: WEBHOOKS,
  },
]);

function paramKind(policy: JsonObject): string {
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((name) => textAt(policy, `spec.paramKind.${name}`));
  return kind === '' ? '<unset>' : `${apiVersion}/${kind}`;
}

function paramRef(binding: JsonObject): string {
  const name = textAt(binding, 'spec.paramRef.name');
  const selector = valueAt(binding, 'spec.paramRef.selector');
  if (name !== '') return `${textAt(binding, 'spec.paramRef.namespace') || '*'}/${name}`;
  return selector === undefined ? '<unset>' : formatLabelSelector(selector);
}
