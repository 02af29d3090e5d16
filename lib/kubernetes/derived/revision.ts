import { createHash } from 'node:crypto';
import type { Pod, PodTemplate } from './objects.ts';

/** The label that says from which revision of its template a pod of a StatefulSet or a DaemonSet is. */
const REVISION_LABEL = 'controller-revision-hash';
/** Without vowels and what is read as one: no words come of it. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LENGTH = 10;

/** What a revision of a template is called. Kubernetes' own hash is of how Go prints it, which nobody else can say. */
export function templateHash(template: PodTemplate | null | undefined): string {
  const digest = createHash('sha256').update(sortedText(template)).digest();
  return [...digest.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Whether a pod is of a revision; one that does not say from which it is, is of the present one. */
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
