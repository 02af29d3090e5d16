import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type Profile, parseProfile, parseSchedulerConfiguration } from '../lib/placement/profile/index.ts';

export interface ProfileSettings {
  /**
   * A file in YAML or JSON: a node affinity, as NodeAffinityArgs.addedAffinity of kube-scheduler, or a whole
   * KubeSchedulerConfiguration.
   */
  readonly addedAffinity?: string | undefined;
  /** InterPodAffinityArgs.hardPodAffinityWeight, 0 to 100. */
  readonly hardPodAffinityWeight?: number | undefined;
}

/**
 * Reads the scheduler profile of these settings, and returns it as JSON text; undefined if none is set.
 *
 * @throws {Error} the file cannot be read, or holds neither a node affinity nor such a configuration, or the weight is
 *   invalid
 */
export async function readSchedulerProfile({
  addedAffinity: file,
  hardPodAffinityWeight,
}: ProfileSettings): Promise<string | undefined> {
  if (file === undefined && hardPodAffinityWeight === undefined) return undefined;
  // JSON.stringify leaves out undefined values.
  const text = JSON.stringify({ ...(await readFileOf(file)), hardPodAffinityWeight });
  parseProfile(JSON.parse(text));
  return text;
}

async function readFileOf(file: string | undefined): Promise<Profile> {
  if (file === undefined) return {};
  const text = await readFile(file, 'utf8');
  try {
    const read: unknown = parse(text);
    const isConfiguration = typeof read === 'object' && read !== null && 'kind' in read;
    return isConfiguration ? parseSchedulerConfiguration(read) : parseProfile({ addedAffinity: read });
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
