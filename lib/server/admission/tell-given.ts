import type { Mutation } from '../../store/index.ts';
import { type ApiOptions, announceCommit } from '../http/index.ts';
import { ADMISSION_INPUTS } from './admission-inputs.ts';
import type { Charge } from './admission-request.ts';

type Put = Extract<Mutation, { kind: 'put' }>;

/** Adds a charge to a mutation: the allocated values, the quota version and the reservations. */
export function charged(mutation: Put, { body, turn, reserves }: Charge): Mutation {
  return {
    ...mutation,
    ...(body !== undefined && { body }),
    ...(turn !== undefined && { turn }),
    ...(reserves !== undefined && { reserves }),
  };
}

/**
 * Writes the usage after a committed write into the status of each quota. Never throws, because the write is already
 * committed.
 */
export async function tellGiven(options: ApiOptions, charge: Charge | undefined): Promise<void> {
  if (charge === undefined || charge.given.length === 0) return;
  const { reportUsage } = await import('./quota/index.ts');
  for (const given of charge.given) {
    try {
      await announceCommit(options, ADMISSION_INPUTS.quotas, await reportUsage(options, given), false);
    } catch (error) {
      options.logger.warn('the usage of a quota could not be written to its status', {
        error,
        quota: given.quota.name,
      });
    }
  }
}
