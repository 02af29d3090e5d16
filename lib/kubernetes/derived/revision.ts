import { createHash } from 'node:crypto';
import type { Pod, PodTemplate } from './objects.ts';

/** The label with the template revision of a StatefulSet's or DaemonSet's pod. */
const REVISION_LABEL = 'controller-revision-hash';
/** The characters of a hash: no vowels and no digits that look like them, so that no words appear. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LENGTH = 10;

/**
 * Returns the name of a template's revision. It differs from Kubernetes' hash, which depends on how Go prints the
 * template.
 */
export function templateHash(template: PodTemplate | null | undefined): string {
  const digest = createHash('sha256').update(sortedText(template)).digest();
  return [...digest.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Whether a pod belongs to a revision. A pod without the label belongs to the current one. */
export function isOfRevision({ metadata }: Pod, names: readonly string[], isPresent: boolean): boolean {
  const revision = metadata.labels?.[REVISION_LABEL];
  return revision === undefined ? isPresent : names.includes(revision);
}

function sortedText(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([left], [right]) => (left < right ? -1 : 1)))
      : one,
  );
}
