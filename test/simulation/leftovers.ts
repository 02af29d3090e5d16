import { objectAt } from '../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../lib/store/body/body-codec.ts';
import { subscriptionsPartition } from '../../lib/store/index.ts';
import { PODS } from './actors/pods.ts';
import { NAMESPACES } from './actors/targets.ts';
import type { Violation } from './checks/index.ts';
import type { Scenario } from './scenarios/index.ts';
import type { World } from './world/world.ts';

/**
 * Checks the rows and queues when all is quiet: none that should be gone is left, and none that should exist is
 * missing.
 */
export function leftovers({ table, queues }: World, scenario: Scenario): Violation[] {
  const namespaces = table.rows.partition(`object#${NAMESPACES}`).map(({ sk }) => sk.slice(1));
  const gone = scenario.deletedNamespaces.filter((name) => !namespaces.includes(name));
  const kept = scenario.deletedNamespaces.filter((name) => namespaces.includes(name));
  const pods = table.rows.partition(`object#${PODS}`).map(({ sk }) => sk);
  const orphans = pods.filter((pod) => gone.some((name) => pod.startsWith(`${name}/`)));
  const objects = table.rows.partition(`object#${SUBSCRIPTIONS}`).map((row) => table.rows.whole(row));
  const statuses = objects.map((row) => objectAt(decodeBody(row.body).status));
  const used = new Set(statuses.map(({ queueUrl }) => queueUrl));
  const uids = new Set(objects.map(({ uid }) => uid));
  const urls = queues.urls().filter((url) => url.startsWith('sqs://winnow-') && !used.has(url));
  const states = table.rows
    .partition(subscriptionsPartition(PODS))
    .filter(({ counts }) => !counts)
    .map(({ sk }) => sk)
    .filter((uid) => !uids.has(uid));
  const unready = statuses.filter(({ phase }) => phase !== 'Synced').map((status) => JSON.stringify(status));
  return [
    ...violation('an object is left in a namespace that is gone', orphans),
    ...violation('a namespace was deleted and is not gone', kept),
    ...violation('a queue is left of a subscription that is gone', urls),
    ...violation('a state is left of a subscription that is gone', states),
    ...violation('a subscription is not synced', unready),
  ];
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'leftovers', message, evidence: [...evidence] }];
}
