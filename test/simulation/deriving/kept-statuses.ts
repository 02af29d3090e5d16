import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { DUE_SHARDS, duePartition } from '../../../lib/store/index.ts';
import { SETS } from '../actors/owners.ts';
import { PODS } from '../actors/pods.ts';
import type { Violation } from '../checks/index.ts';
import type { World } from '../world/world.ts';

/** Checks that, when all is quiet, statuses equal a naive count of rows, and no work item is left. */
export function keptStatuses({ table: { rows } }: World, isDeriving: boolean): Violation[] {
  if (!isDeriving) return [];
  const bodiesOf = (partition: string) =>
    rows
      .partition(partition)
      .filter(({ sk }) => sk.startsWith('default/'))
      .map(({ body }) => decodeBody(body));
  const pods = bodiesOf(`object#${PODS}`);
  const wrong = bodiesOf(`object#${SETS}`).flatMap((set) => {
    const wanted = countOf(set, pods);
    const { replicas, observedGeneration } = objectAt(set.status);
    const { generation, name } = metadataOf(set);
    const isRight = replicas === wanted && observedGeneration === generation;
    return isRight
      ? []
      : [`${name}: ${JSON.stringify(set.status)} of ${wanted} pods at generation ${generation}`];
  });
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => shard);
  const due = shards.flatMap((shard) =>
    rows.partition(duePartition(shard)).map((row) => JSON.stringify(row)),
  );
  return [
    ...violation('a status is not what there is', wrong),
    ...violation('something is due though all is quiet', due),
  ];
}

/** A naive count, label by label. The writers here write no phase of a finished pod. */
function countOf(set: JsonObject, pods: readonly JsonObject[]): number {
  const wanted = Object.entries(objectAt(objectAt(objectAt(set.spec).selector).matchLabels));
  return pods.filter((pod) => {
    const labels = objectAt(metadataOf(pod).labels);
    return wanted.every(([key, value]) => labels[key] === value);
  }).length;
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'derived', message, evidence: evidence.slice(0, 5) }];
}
