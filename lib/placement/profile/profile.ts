import { fromNodeSelector, type NodeSelector } from '../../selectors/index.ts';
import type { NodeAffinity } from '../objects.ts';
import { type PreferredTerm, readPreferredTerms } from './preferred-terms.ts';

/** Arguments of kube-scheduler's plugins, under its names. */
export interface PluginArguments {
  /** Of InterPodAffinityArgs: the weight of a required affinity of a running pod, 0 to 100; 1 by default. */
  readonly hardPodAffinityWeight?: number;
  /** Of NodeAffinityArgs: an affinity that every pod has in addition to its own. */
  readonly addedAffinity?: NodeAffinity;
}

/** The arguments of kube-scheduler's default profile, and those of further profiles. */
export interface Profile extends PluginArguments {
  /**
   * The arguments by `schedulerName`. They replace the default profile's arguments for pods with that name in
   * `spec.schedulerName`.
   */
  readonly bySchedulerName?: Readonly<Record<string, PluginArguments>>;
}

/** Plugin arguments whose selectors are parsed. */
export interface SchedulingProfile {
  readonly hardPodAffinityWeight: number;
  readonly addedSelector: NodeSelector | undefined;
  readonly addedPreferences: readonly PreferredTerm[] | undefined;
}

/**
 * Checks a profile in the form of JSON.
 *
 * @throws {SelectorError} a selector is invalid
 * @throws {TypeError} anything else is invalid
 */
export function parseProfile(given: unknown): Profile {
  const { bySchedulerName = {}, ...own } = objectOf(given, 'a profile');
  checkArguments(own, '');
  const further = objectOf(bySchedulerName, 'bySchedulerName');
  for (const [name, value] of Object.entries(further)) checkArguments(value, `bySchedulerName[${name}].`);
  const profile = given as Profile;
  readProfiles(profile);
  return profile;
}

function checkArguments(given: unknown, path: string): void {
  const fields = objectOf(given, path === '' ? 'a profile' : path.slice(0, -1));
  const { hardPodAffinityWeight: weight, addedAffinity: affinity, ...unknown } = fields;
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw new TypeError(`unknown field "${path}${field}"`);
  if (weight !== undefined && !isWeight(weight)) {
    throw new TypeError(
      `${path}hardPodAffinityWeight: Invalid value: ${JSON.stringify(weight)}: not in valid range [0, 100]`,
    );
  }
  if (affinity === undefined) return;
  for (const one of Object.keys(objectOf(affinity, `${path}addedAffinity`))) {
    if (!AFFINITY_FIELDS.includes(one)) throw new TypeError(`${path}addedAffinity: unknown field "${one}"`);
  }
}

/** @throws {TypeError} `given` is no object; the message begins with `name` */
export function objectOf(given: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { ...given };
  throw new TypeError(`${name}: must be an object`);
}

const AFFINITY_FIELDS = [
  'requiredDuringSchedulingIgnoredDuringExecution',
  'preferredDuringSchedulingIgnoredDuringExecution',
];

function isWeight(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100;
}

/** The parsed arguments for each pod, by its `spec.schedulerName`. */
export type Profiles = (schedulerName: string | null | undefined) => SchedulingProfile;

/** @throws {SelectorError} a selector is invalid */
export function readProfiles({ bySchedulerName = {}, ...own }: Profile): Profiles {
  const shared = readArguments(own);
  const named = new Map(
    Object.entries(bySchedulerName).map(([name, value]) => [name, readArguments({ ...own, ...value })]),
  );
  return (schedulerName) => named.get(schedulerName ?? DEFAULT_SCHEDULER) ?? shared;
}

/** The scheduler of a pod without `spec.schedulerName`. */
export const DEFAULT_SCHEDULER = 'default-scheduler';

function readArguments({ hardPodAffinityWeight = 1, addedAffinity }: PluginArguments): SchedulingProfile {
  const required = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? undefined;
  const preferred = addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    hardPodAffinityWeight,
    addedSelector: required && fromNodeSelector(required, 'addedAffinity'),
    addedPreferences: preferred.length === 0 ? undefined : readPreferredTerms(preferred, 'addedAffinity'),
  };
}
