import { fromNodeSelector, type NodeSelector } from '../selectors/index.ts';
import type { NodeAffinity } from './objects.ts';
import { type PreferredTerm, readPreferredTerms } from './preferred-terms.ts';

/** What a deployment may set in the scheduler's default profile, under the names that kube-scheduler has for it. */
export interface Profile {
  /** Of InterPodAffinityArgs: what a required affinity of a pod that runs counts for, 0 to 100; 1 by default. */
  readonly hardPodAffinityWeight?: number;
  /** Of NodeAffinityArgs: every pod has it besides its own. */
  readonly addedAffinity?: NodeAffinity;
}

/** The same, read. */
export interface SchedulingProfile {
  readonly hardPodAffinityWeight: number;
  readonly addedSelector: NodeSelector | undefined;
  readonly addedPreferences: readonly PreferredTerm[] | undefined;
}

/**
 * A profile that somebody wrote, as JSON has it.
 * @throws {SelectorError} where a selector is none; {@link TypeError} for anything else that is no profile
 */
export function parseProfile(given: unknown): Profile {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('a profile is an object');
  }
  const { hardPodAffinityWeight: weight, addedAffinity: affinity, ...unknown } = given as ProfileFields;
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw new TypeError(`unknown field "${field}"`);
  if (weight !== undefined && !isWeight(weight)) {
    throw new TypeError(
      `hardPodAffinityWeight: Invalid value: ${JSON.stringify(weight)}: not in valid range [0, 100]`,
    );
  }
  if (
    affinity !== undefined &&
    (typeof affinity !== 'object' || affinity === null || Array.isArray(affinity))
  ) {
    throw new TypeError('addedAffinity: must be an object');
  }
  for (const one of Object.keys(affinity ?? {})) {
    if (!AFFINITY_FIELDS.includes(one)) throw new TypeError(`addedAffinity: unknown field "${one}"`);
  }
  const profile = given as Profile;
  readProfile(profile);
  return profile;
}

type ProfileFields = Readonly<Partial<Record<keyof Profile, unknown>>>;

const AFFINITY_FIELDS = [
  'requiredDuringSchedulingIgnoredDuringExecution',
  'preferredDuringSchedulingIgnoredDuringExecution',
];

function isWeight(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100;
}

/** @throws SelectorError where a selector is none */
export function readProfile({ hardPodAffinityWeight = 1, addedAffinity }: Profile): SchedulingProfile {
  const required = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? undefined;
  const preferred = addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    hardPodAffinityWeight,
    addedSelector: required && fromNodeSelector(required, 'addedAffinity'),
    addedPreferences: preferred.length === 0 ? undefined : readPreferredTerms(preferred, 'addedAffinity'),
  };
}
