import type { FieldError } from '../../selectors/index.ts';
import { type Collection, collectionOf, type JsonObject } from '../../store/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { customRules } from './custom-rules.ts';
import { daemonSetRules } from './daemon-set-rules.ts';
import { definitionRules } from './definition-rules.ts';
import { jobRules } from './job-rules.ts';
import { namespaceRules } from './namespace-rules.ts';
import { nodeRules } from './node-rules.ts';
import { podRules } from './pod-rules.ts';
import { protectedRules } from './protected-rules.ts';
import { secretRules } from './secret-rules.ts';
import { serviceRules } from './service-rules.ts';
import { subscriptionRules } from './subscription-rules.ts';

/** What one type does beyond what all types do. `old` is what a write replaces, absent on create; `''` is no subresource. */
export interface TypeRules {
  /** What reading makes of a new body beside its fields, before anybody owns them. */
  read?(body: JsonObject): JsonObject | Promise<JsonObject>;
  /** The body as the type stores it: defaults, conversions, what the server owns. Before validation. */
  prepare?(body: JsonObject, old?: JsonObject, subresource?: string): JsonObject | Promise<JsonObject>;
  /** What is wrong with a body that was prepared, beside what Kubernetes asks of its kind. */
  validate?(
    body: JsonObject,
    old?: JsonObject,
    subresource?: string,
  ): readonly FieldError[] | Promise<readonly FieldError[]>;
  /** The status of a new object. */
  readonly initialStatus?: JsonObject;
  /** Whether a create may set the status all the same. */
  readonly takesStatus?: boolean;
  /** Whether a terminating object without finalizers may go. */
  mayGo?(body: JsonObject): boolean;
}

const RULES: ReadonlyMap<Collection, TypeRules> = new Map<Collection, TypeRules>([
  ['core/namespaces', namespaceRules],
  ['core/nodes', nodeRules],
  [
    'core/persistentvolumeclaims',
    protectedRules('core/persistentvolumeclaims', { initialStatus: { phase: 'Pending' } }),
  ],
  ['core/pods', podRules],
  ['core/secrets', secretRules],
  ['core/services', serviceRules],
  ['apiextensions.k8s.io/customresourcedefinitions', definitionRules],
  ['apps/daemonsets', daemonSetRules],
  ['batch/jobs', jobRules],
  ['winnow.dev/subscriptions', subscriptionRules],
]);

const NONE: TypeRules = {};

export function rulesOf({
  group,
  resource,
  custom,
  scale,
}: Pick<ResourceType, 'group' | 'resource' | 'custom' | 'scale'>): TypeRules {
  if (custom !== undefined) return customRules(custom, scale);
  return RULES.get(collectionOf(group, resource)) ?? NONE;
}
