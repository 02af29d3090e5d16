import type { AdmissionAttributes } from '../admission-match/index.ts';
import type { BoundPolicy, Invocation, PolicyFacts } from './types.ts';

/** Returns the policies and bindings that match a write, in order, and the parameters that they need. */
export function invocationsOf(
  _policies: readonly BoundPolicy[],
  _attributes: AdmissionAttributes,
  _facts: PolicyFacts,
): readonly Invocation[] {
  throw new Error('not written yet');
}
