import { definitionStatuses } from '../../../lib/server/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import { withDefinitions } from '../actors/targets.ts';
import { serveApi } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { define } from './define.ts';
import { PLURALS } from './definition.ts';
import type { KindRecord } from './kind-record.ts';
import { subscribeToKind } from './subscribe-to-kind.ts';
import { useKinds } from './use-kinds.ts';

export { warmUp } from './warm-up.ts';

/** The resource types that functions receive. */
export const served = withDefinitions(definitionStatuses);

/**
 * Starts the definers, one for each kind, the users of kinds, and a subscriber for each kind. They use an API in
 * functions.
 */
export function liveWithKinds(cluster: Cluster, record: KindRecord, scenario: Scenario): Promise<void>[] {
  record.follow(cluster.world);
  const using = { cluster, record, ask: serveApi(cluster) };
  return [
    ...PLURALS.map((plural) => define(using, plural, scenario)),
    ...Array.from({ length: scenario.kindUsers }, () => useKinds(using, scenario)),
    ...PLURALS.map((plural) => subscribeToKind(using, plural)),
  ];
}
