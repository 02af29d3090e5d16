import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { parseProfile } from '../lib/placement/index.ts';

export interface ProfileSettings {
  /** A file that holds a node affinity, YAML or JSON: kube-scheduler's NodeAffinityArgs.addedAffinity. */
  readonly addedAffinity?: string | undefined;
  /** InterPodAffinityArgs.hardPodAffinityWeight, 0 to 100. */
  readonly hardPodAffinityWeight?: number | undefined;
}

/**
 * Reads the scheduler profile of these settings, and returns it as JSON text; undefined if none is set.
 *
 * @throws {Error} the file cannot be read, holds no node affinity, or the weight is invalid.
 */
export async function readSchedulerProfile({
  addedAffinity: file,
  hardPodAffinityWeight,
}: ProfileSettings): Promise<string | undefined> {
  if (file === undefined && hardPodAffinityWeight === undefined) return undefined;
  const addedAffinity = file === undefined ? undefined : parse(await readFile(file, 'utf8'));
  // JSON.stringify leaves out undefined values.
  const text = JSON.stringify({ addedAffinity, hardPodAffinityWeight });
  parseProfile(JSON.parse(text));
  return text;
}
