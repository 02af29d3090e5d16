import type { ChangeMapper, Derivation } from '../../coordination/index.ts';
import type { Collection, JsonObject } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import { mayDerive, readChoice } from './choice.ts';
import { concernedBy } from './concerned.ts';
import { deriveLease } from './derive-lease.ts';
import type { EndpointsWriter } from './derive-service.ts';
import { deriveWorkload } from './derive-status.ts';
import { LEASES } from './leases.ts';
import { goRound, roundOf } from './rounds.ts';
import { INPUTS, ROUNDS, SERVICES } from './workloads.ts';

/** Creates the mapper from changes to work requests. @throws {Error} `chosen` names an unknown kind of derived data */
export function createConcerns(chosen: string): ChangeMapper {
  const choice = readChoice(chosen);
  return {
    collections: new Set([...INPUTS, ROUNDS, ...(mayDerive(choice, 'leases') ? [LEASES] : [])]),
    concerned: (outside, collection, changes) => concernedBy(outside, { choice, collection, changes }),
    everybody: roundOf(),
  };
}

export interface DerivationOptions {
  /** The deployment's choice, as its setting spells it. */
  readonly chosen: string;
  readonly clock: Clock;
  /**
   * Writes the status of a whole object, unless the stored object has changed since the read. Rejects where it was
   * not written.
   */
  writeStatus(collection: Collection, object: JsonObject): Promise<void>;
  /** Writes EndpointSlices and Endpoints. */
  readonly objects: EndpointsWriter;
}

/**
 * Creates the derivation: statuses of workloads, endpoints of services.
 *
 * @throws {Error} `chosen` names an unknown kind of derived data
 */
export function createDerivation(options: DerivationOptions): Derivation {
  const { chosen, clock } = options;
  const choice = readChoice(chosen);
  return {
    ...createConcerns(chosen),
    chosen,
    derive: async (outside, subject, wanted) => {
      const deriving = { ...options, store: outside.store, choice };
      switch (subject.collection) {
        case ROUNDS:
          return goRound(outside, { subject, wanted, leases: mayDerive(choice, 'leases') });
        case LEASES:
          return deriveLease(deriving, subject);
        case SERVICES: {
          const { deriveService } = await import('./derive-service.ts');
          return deriveService(deriving, subject);
        }
        default:
          return deriveWorkload({ ...deriving, now: clock.now() }, subject);
      }
    },
  };
}
