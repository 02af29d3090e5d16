import { isDeepStrictEqual } from 'node:util';
import type { PodTemplate } from './objects.ts';

/** The label by which a Deployment tells the pods of its ReplicaSets apart. */
const HASH_LABEL = 'pod-template-hash';

/** Whether a ReplicaSet's template is a Deployment's: they are the same but for the label that tells them apart. */
export function isSameTemplate(
  one: PodTemplate | null | undefined,
  other: PodTemplate | null | undefined,
): boolean {
  return isDeepStrictEqual(withoutHash(one), withoutHash(other));
}

function withoutHash(template: PodTemplate | null | undefined): unknown {
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}
