import { isDeepStrictEqual } from 'node:util';
import type { PodTemplate } from './objects.ts';

/** The label that distinguishes the pods of a Deployment's ReplicaSets. */
const HASH_LABEL = 'pod-template-hash';

/** Whether a ReplicaSet has a Deployment's template. The label that distinguishes ReplicaSets is ignored. */
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
