import {
  type Collection,
  collectionOf,
  type JsonObject,
  metadataOf,
  objectAt,
} from '../../lib/json/index.ts';
import { findResourceType } from '../../lib/kubernetes/resource-types/index.ts';
import { objectErrors } from '../../lib/kubernetes/validation/index.ts';
import { MEMORY } from '../../lib/platform/index.ts';
import { everything, formatFieldError } from '../../lib/selectors/index.ts';
import { eachPage, type Store } from '../../lib/store/index.ts';

const GROUP = 'admissionregistration.k8s.io';

/** What begins to count with the row schema version of admission rules. */
export interface RulesThatCount {
  /** A line for each policy that a binding names, with its bindings and their actions. */
  readonly lines: readonly string[];
  /** The reasons why policies would fail to decide: expressions that do not compile. */
  readonly faults: readonly string[];
}

/** Lists the stored admission policies that will decide writes. Policies without a binding never do. */
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
  return { lines, faults };
}

async function bodiesOf(store: Store, resource: string): Promise<JsonObject[]> {
  const collection: Collection = collectionOf(GROUP, resource);
  const bodies: JsonObject[] = [];
  for await (const { items } of eachPage(store, collection, {
    selector: everything,
    mostHeap: MEMORY.page,
  })) {
    bodies.push(...items.map(({ body }) => body));
  }
  return bodies;
}

async function errorsOf(policy: JsonObject): Promise<readonly string[]> {
  const type = findResourceType(GROUP, 'v1', 'validatingadmissionpolicies');
  if (type === undefined) throw new Error('the resource type validatingadmissionpolicies is missing');
  return (await objectErrors({ type, body: policy })).map(formatFieldError);
}

function shownBinding(binding: JsonObject): string {
  const { validationActions } = objectAt(binding.spec);
  const actions = Array.isArray(validationActions) ? validationActions.join(' and ') : '';
  return `${nameOf(binding)} (${actions})`;
}

const nameOf = (object: JsonObject): string => String(metadataOf(object).name);
