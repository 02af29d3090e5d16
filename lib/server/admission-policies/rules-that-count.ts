import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import {
  collectionOfType,
  findResourceType,
  type ResourceType,
} from '../../kubernetes/resource-types/index.ts';
import { objectErrors } from '../../kubernetes/validation/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { everything, formatFieldError } from '../../selectors/index.ts';
import { eachPage, type Store } from '../../store/index.ts';
import { typedState } from '../objects/index.ts';
import { type Webhook, webhooksIn } from '../webhooks/index.ts';

/** What begins to count with the row schema version of admission rules. */
export interface RulesThatCount {
  /**
   * A line for each policy that a binding names, with its bindings and their actions, and for each webhook, with the
   * place that it calls.
   */
  readonly lines: readonly string[];
  /** The reasons why policies would fail to decide: expressions that do not compile. */
  readonly faults: readonly string[];
}

/** Lists the stored admission policies and webhooks that will decide writes. Policies without a binding never do. */
export async function rulesThatCount(store: Store): Promise<RulesThatCount> {
  const policies = await bodiesOf(store, 'validatingadmissionpolicies');
  const bindings = await bodiesOf(store, 'validatingadmissionpolicybindings');
  const lines: string[] = [];
  const faults: string[] = [];
  for (const policy of policies) {
    const name = nameOf(policy);
    const own = bindings.filter(({ spec }) => objectAt(spec).policyName === name);
    if (own.length === 0) continue;
    lines.push(`ValidatingAdmissionPolicy ${name}, bound by ${own.map(shownBinding).join(', ')}`);
    for (const error of await errorsOf(policy)) faults.push(`ValidatingAdmissionPolicy ${name}: ${error}`);
  }
  for (const kind of ['Mutating', 'Validating'] as const) {
    const configurations = await bodiesOf(store, `${kind.toLowerCase()}webhookconfigurations`);
    lines.push(...webhooksIn(configurations).map((webhook) => shownWebhook(kind, webhook)));
  }
  return { lines, faults };
}

async function bodiesOf(store: Store, resource: string): Promise<JsonObject[]> {
  const type = typeOf(resource);
  const bodies: JsonObject[] = [];
  const all = { selector: everything, mostHeap: MEMORY.page };
  for await (const { items } of eachPage(store, collectionOfType(type), all)) {
    for (const state of items) bodies.push((await typedState(type, state)).body);
  }
  return bodies;
}

async function errorsOf(policy: JsonObject): Promise<readonly string[]> {
  const errors = await objectErrors({ type: typeOf('validatingadmissionpolicies'), body: policy });
  return errors.map(formatFieldError);
}

function typeOf(resource: string): ResourceType {
  const type = findResourceType('admissionregistration.k8s.io', 'v1', resource);
  if (type === undefined) throw new Error(`the resource type ${resource} is missing`);
  return type;
}

function shownWebhook(kind: string, { name, configuration, client: { url, service } }: Webhook): string {
  const place = service === undefined ? url : `Service ${service.namespace}/${service.name}`;
  return `webhook ${name} of ${kind}WebhookConfiguration ${configuration}, which calls ${place}`;
}

function shownBinding(binding: JsonObject): string {
  const { validationActions } = objectAt(binding.spec);
  const actions = Array.isArray(validationActions) ? validationActions.join(' and ') : '';
  return `${nameOf(binding)} (${actions})`;
}

const nameOf = (object: JsonObject): string => String(metadataOf(object).name);
