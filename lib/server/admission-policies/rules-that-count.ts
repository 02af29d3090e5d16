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
import { readDestinationList } from '../../webhook-places/index.ts';
import { typedState } from '../objects/index.ts';
import { type Destinations, listedDestinations, type Webhook, webhooksIn } from '../webhooks/index.ts';

/** What begins to count with the row schema version of admission rules. */
export interface RulesThatCount {
  /**
   * A line for each policy that a binding names, with its bindings and their actions, and for each webhook, with the
   * place that it calls.
   */
  readonly lines: readonly string[];
  /** The reasons why rules would fail to decide: expressions that do not compile, and places that may not be called. */
  readonly faults: readonly string[];
}

/**
 * Lists the stored admission policies and webhooks that will decide writes. Policies without a binding never do.
 *
 * @param places the operator's list of the places that webhooks may name
 */
export async function rulesThatCount(
  store: Store,
  places: Pick<Destinations, 'refusal'>,
): Promise<RulesThatCount> {
  const lines: string[] = [];
  const faults: string[] = [];
  for (const kind of ['Mutating', 'Validating'] as const) {
    const resource = `${kind.toLowerCase()}admissionpolicies`;
    const policies = await bodiesOf(store, resource);
    const bindings = await bodiesOf(store, `${kind.toLowerCase()}admissionpolicybindings`);
    for (const policy of policies) {
      const name = nameOf(policy);
      const own = bindings.filter(({ spec }) => objectAt(spec).policyName === name);
      if (own.length === 0) continue;
      const shown = `${kind}AdmissionPolicy ${name}`;
      lines.push(`${shown}, bound by ${own.map(shownBinding).join(', ')}`);
      for (const error of await errorsOf(resource, policy)) faults.push(`${shown}: ${error}`);
    }
  }
  for (const kind of ['Mutating', 'Validating'] as const) {
    const configurations = await bodiesOf(store, `${kind.toLowerCase()}webhookconfigurations`);
    for (const webhook of webhooksIn(configurations)) {
      const { name, configuration } = webhook;
      const shown = `webhook ${name} of ${kind}WebhookConfiguration ${configuration}`;
      lines.push(`${shown}, which calls ${placeOf(webhook)}`);
      const refusal = places.refusal(webhook.client);
      if (refusal !== undefined) faults.push(`${shown}: ${refusal}`);
    }
  }
  return { lines, faults };
}

/** The places that the operator of a deployment permits, from the list as JSON text. */
export function placesIn(list: string): Pick<Destinations, 'refusal'> {
  return listedDestinations(readDestinationList(JSON.parse(list)));
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

async function errorsOf(resource: string, policy: JsonObject): Promise<readonly string[]> {
  const errors = await objectErrors({ type: typeOf(resource), body: policy });
  return errors.map(formatFieldError);
}

function typeOf(resource: string): ResourceType {
  const type = findResourceType('admissionregistration.k8s.io', 'v1', resource);
  if (type === undefined) throw new Error(`the resource type ${resource} is missing`);
  return type;
}

function placeOf({ client: { url, service } }: Webhook): string {
  return service === undefined ? String(url) : `Service ${service.namespace}/${service.name}`;
}

function shownBinding(binding: JsonObject): string {
  const { validationActions } = objectAt(binding.spec);
  const actions = Array.isArray(validationActions) ? ` (${validationActions.join(' and ')})` : '';
  return `${nameOf(binding)}${actions}`;
}

const nameOf = (object: JsonObject): string => String(metadataOf(object).name);
