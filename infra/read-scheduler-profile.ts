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
 * What is set of the scheduler's profile, as JSON text; undefined where nothing is.
 *
 * @throws {Error} there is no such file, or no node affinity in it, or the weight is none.
 */
export async function readSchedulerProfile({
  addedAffinity: file,
  hardPodAffinityWeight,
}: ProfileSettings): Promise<string | undefined> {
  if (file === undefined && hardPodAffinityWeight === undefined) return undefined;
  const addedAffinity = file === undefined ? undefined : parse(await readFile(file, 'utf8'));
  // What is undefined is not in the text.
  const text = JSON.stringify({ addedAffinity, hardPodAffinityWeight });
  parseProfile(JSON.parse(text));
  return text;
}
