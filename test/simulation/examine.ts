import { keptAccess } from './access/kept-access.ts';
import { keptAuthors } from './authors/kept-authors.ts';
import { check, type Violation } from './checks/index.ts';
import { keptClaims } from './claims/kept-claims.ts';
import { collected } from './collected.ts';
import { keptEndpoints } from './deriving/kept-endpoints.ts';
import { keptStatuses } from './deriving/kept-statuses.ts';
import { givenBack } from './given-back.ts';
import { heldUp } from './held-up.ts';
import type { History } from './history.ts';
import { keptChunks } from './kept-chunks.ts';
import { keptKinds } from './kinds/kept-kinds.ts';
import { leftovers } from './leftovers.ts';
import { keptPasts } from './pasts/kept-pasts.ts';
import { keptPlacements } from './placements/kept-placements.ts';
import { keptProofs } from './proofs/kept-proofs.ts';
import { keptRules } from './rules/kept-rules.ts';
import { type RunOptions, run } from './run.ts';
import type { Scenario } from './scenarios/index.ts';
import { keptSelections } from './selections/kept-selections.ts';
import { keptTallies } from './tallies/kept-tallies.ts';
import { keptSight } from './tenants/kept-sight.ts';
import { keptTelling } from './tenants/kept-telling.ts';
import { keptVerbs } from './tenants/kept-verbs.ts';
import type { World } from './world/world.ts';

/** One run and its violations. An error that the code must not throw is a violation too. */
export interface Examined {
  readonly history: History | undefined;
  readonly violations: readonly Violation[];
}

export async function examine(options: RunOptions): Promise<Examined> {
  try {
    const ran = await run(options);
    const { history, world, ownership, kinds, claims, selections, access, tenancy } = ran;
    return {
      history,
      violations: [
        ...check(history),
        ...ran.filled,
        ...leftovers(world, options.scenario),
        ...keptChunks(world),
        ...givenBack(world, options.scenario),
        ...(isOfOwners(options.scenario) ? collected(world, ownership) : []),
        ...keptKinds(world, kinds),
        ...keptClaims(world, claims),
        ...keptTallies(world, options.scenario),
        ...keptSelections(selections, options.scenario.faults.spread[1]),
        ...keptAccess(access),
        ...keptRules(ran.rules),
        ...ran.steps.violations(),
        ...keptSight(tenancy),
        ...keptTelling(tenancy),
        ...keptVerbs(tenancy),
        ...keptAuthors(ran.authorship),
        ...keptProofs(ran.proofs),
        ...keptPasts(ran.pasts, kinds, options.scenario.faults.skew),
        ...keptStatuses(world, options.scenario.workloads !== undefined),
        ...keptEndpoints(world, options.scenario),
        ...keptPlacements(world, options.scenario),
        ...hindered(history, options.scenario),
        ...failedForNotices(world, options.scenario),
        ...heldUp(world),
      ],
    };
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const evidence = error instanceof Error ? [error.stack ?? ''] : [];
    return { history: undefined, violations: [{ check: 'unexpected-error', message, evidence }] };
  }
}

/**
 * Whether a scenario uses the owners' collections for owners. Workloads, tenants and authors use them for themselves.
 */
function isOfOwners({ workloads, tenants, authors }: Scenario): boolean {
  return workloads === undefined && tenants === undefined && authors === undefined;
}

/** Where only queues refuse messages, no dispatch or reconciliation fails: notifications are sent if possible. */
function failedForNotices({ handouts }: World, { faults }: Scenario): Violation[] {
  const { throttle, lostRequest, lostAnswer, crash, freeze, slowTransaction } = faults;
  if (throttle + lostRequest + lostAnswer + crash + freeze + slowTransaction > 0) return [];
  return handouts
    .filter(({ failed }) => failed !== undefined)
    .map(({ queue, messageId, at }) => ({
      check: 'unhindered',
      message: 'a message failed because a queue refused another',
      evidence: [`${messageId} of ${queue}, received at ${at} ms`],
    }));
}

/**
 * With a table that answers every request, a lone writer never receives a request to retry: readers do not fill the
 * gaps of living writers.
 */
function hindered({ operations }: History, { writers, faults }: Scenario): Violation[] {
  if (writers > 1 || faults.throttle + faults.lostRequest + faults.lostAnswer > 0) return [];
  return operations
    .filter(
      ({ outcome, reason }) => outcome === 'refused' && (reason === 'throttled' || reason === 'unavailable'),
    )
    .map(({ kind, object, invoked }) => ({
      check: 'unhindered',
      message: 'a lone writer was told to try again',
      evidence: [`${kind} ${object}, asked at ${invoked} ms`],
    }));
}
