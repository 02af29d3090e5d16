import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { parseNameKey, stateOf, subscriptionsPartition } from '../../../lib/store/index.ts';
import { filterOf, PODS } from '../actors/pods.ts';
import { NAMESPACES } from '../actors/targets.ts';
import type { Violation } from '../checks/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { World } from '../world/world.ts';

/**
 * Checks that, when all is quiet, each Tally equals a naive count of the pods' rows, and that no state counts for a
 * deleted Tally.
 */
export function keptTallies({ table }: World, { tallies = 0 }: Scenario): Violation[] {
  if (tallies === 0) return [];
  const objects = table.rows.partition(`object#${TALLIES}`).map((row) => decodeBody(row.body));
  const pods = table.rows
    .partition(`object#${PODS}`)
    .map((row) => stateOf(parseNameKey(row.sk), Number(row.rv), decodeBody(row.body)));
  const teams = new Map(
    table.rows
      .partition(`object#${NAMESPACES}`)
      .map((row) => [parseNameKey(row.sk).name, objectAt(metadataOf(decodeBody(row.body)).labels).team]),
  );
  const wrong = objects.flatMap((body) => {
    const [is, should] = [toldIn(body), countedFor(body, pods, teams)];
    return is === should ? [] : [`${metadataOf(body).name}: ${is}, and not ${should}`];
  });
  const uids = new Set(objects.map((body) => metadataOf(body).uid));
  const left = table.rows
    .partition(subscriptionsPartition(PODS))
    .filter(({ sk, counts }) => Boolean(counts) && !uids.has(sk))
    .map(({ sk }) => sk);
  return [
    ...violation('a Tally says what is not so', wrong),
    ...violation('somebody counts for a Tally that is gone', left),
  ];
}

function toldIn({ metadata, status }: JsonObject): string {
  const { observedGeneration, phase = null, count = null, groups = null } = objectAt(status);
  return JSON.stringify({
    isCurrent: observedGeneration === objectAt(metadata).generation,
    phase,
    count,
    groups,
  });
}

/** The team of each existing namespace. */
type Teams = ReadonlyMap<string, unknown>;

/** The expected status, computed from the pods without any code that counts. */
function countedFor({ spec }: JsonObject, pods: readonly ReturnType<typeof stateOf>[], teams: Teams): string {
  const {
    namespaces,
    namespaceSelector = null,
    labelSelector,
    fieldSelector,
    groupBy,
    bounds,
  } = objectAt(spec);
  const isWithin = (namespace: string) =>
    namespaceSelector === null
      ? namespaces === 'All' || namespace === 'default'
      : teams.has(namespace) &&
        teams.get(namespace) === objectAt(objectAt(namespaceSelector).matchLabels).team;
  const filter = filterOf({ labelSelector: String(labelSelector), fieldSelector: String(fieldSelector) });
  const matching = pods.filter(
    (pod) =>
      isWithin(pod.name.namespace) && filter.selector.matches(pod.labels) && (filter.matches?.(pod) ?? true),
  );
  const keys = Array.isArray(groupBy) ? groupBy.map(String) : [];
  const { min, max } = objectAt(bounds);
  const count = matching.length;
  const phase = count < Number(min) ? 'Below' : count > Number(max) ? 'Above' : 'Within';
  const groups = Map.groupBy(matching, ({ labels }) =>
    JSON.stringify(keys.map((key) => labels[key] ?? null)),
  );
  const told = [...groups]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([values, all]) => ({
      labels: Object.fromEntries(
        keys.flatMap((key, at) => (JSON.parse(values)[at] === null ? [] : [[key, JSON.parse(values)[at]]])),
      ),
      count: all.length,
    }));
  return JSON.stringify({ isCurrent: true, phase, count, groups: keys.length === 0 ? null : told });
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'tallies', message, evidence: evidence.slice(0, 5) }];
}
