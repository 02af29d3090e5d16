import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { type Amounts, added, amountsOf, larger } from './amounts.ts';

/** The field of a container's resources. */
export type Side = 'requests' | 'limits';

const NONE: Amounts = new Map();

/**
 * The total amounts of a pod, with its overhead (k8s.io/component-helpers/resource). For each resource the larger of
 * these counts:
 *
 * - the containers and the init containers that keep running, added up
 * - one init container together with the earlier init containers that keep running
 */
export function podAmounts(spec: JsonObject, side: Side): Amounts {
  const containers = containersOf(spec, 'containers').map((one) => containerAmounts(one, side));
  let running = containers.reduce(added, NONE);
  let kept = NONE;
  let starting = NONE;
  for (const container of containersOf(spec, 'initContainers')) {
    const own = containerAmounts(container, side);
    const keepsRunning = container.restartPolicy === 'Always';
    if (keepsRunning) {
      running = added(running, own);
      kept = added(kept, own);
    }
    starting = larger(starting, keepsRunning ? kept : added(own, kept));
  }
  return withOverhead(larger(running, starting), amountsOf(spec.overhead), side);
}

/** Adds the overhead. In limits, a resource's overhead counts only if the containers limit this resource. */
function withOverhead(amounts: Amounts, overhead: Amounts, side: Side): Amounts {
  const isCounted = ([name]: readonly [string, unknown]) => side === 'requests' || amounts.has(name);
  return added(amounts, new Map([...overhead].filter(isCounted)));
}

export function containerAmounts({ resources }: JsonObject, side: Side): Amounts {
  return amountsOf(objectAt(resources ?? {})[side]);
}

export function containersOf(spec: JsonObject, field: 'containers' | 'initContainers'): JsonObject[] {
  const value: JsonValue | undefined = spec[field];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
