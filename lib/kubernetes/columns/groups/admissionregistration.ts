import type { JsonObject } from '../../../json/index.ts';
import { valueAt } from '../../../json/index.ts';
import { type Column, formatLabelSelector, listAt, textAt } from '../../resource-types/index.ts';
import { AGE, field, integer, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

const WEBHOOKS: readonly Column[] = [
  NAME,
  integer('Webhooks', 'The number of webhooks.', (o) => listAt(o, 'webhooks').length),
  AGE,
];

const BINDING: readonly Column[] = [
  NAME,
  field('PolicyName', 'spec.policyName', 'The policy.', ''),
  text('ParamRef', 'Its parameters.', paramRef),
  AGE,
];

/** admissionregistration.k8s.io/v1: the rules that decide writes. */
export const admissionregistration: ColumnsByKind = {
  MutatingAdmissionPolicy: [
    NAME,
    integer('Mutations', 'The number of changes.', (o) => listAt(o, 'spec.mutations').length),
    text('ParamKind', 'The kind of its parameters.', paramKind),
    AGE,
  ],
  MutatingAdmissionPolicyBinding: BINDING,
  MutatingWebhookConfiguration: WEBHOOKS,
  ValidatingAdmissionPolicy: [
    NAME,
    integer('Validations', 'The number of rules.', (o) => listAt(o, 'spec.validations').length),
    text('ParamKind', 'The kind of its parameters.', paramKind),
    AGE,
  ],
  ValidatingAdmissionPolicyBinding: BINDING,
  ValidatingWebhookConfiguration: WEBHOOKS,
};

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
