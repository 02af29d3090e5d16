import { withPatchTypes } from '../../../cel/patches/index.ts';
import { objectAt } from '../../../json/index.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import type { Expression } from '../evaluation.ts';
import { objectsOf, textOf } from '../reading.ts';
import type { PatchKind } from './patch-error.ts';

/** One change of a policy: an expression whose value is a patch. */
export interface Mutation extends Expression {
  readonly kind: PatchKind;
}

const KNOWN = new WeakMap<CompiledPolicy, readonly Mutation[]>();

/** Returns the mutations of a policy in their order. They are compiled on first use. */
export function mutationsOf(policy: CompiledPolicy): readonly Mutation[] {
  const mutations = KNOWN.get(policy) ?? compiledMutations(policy);
  KNOWN.set(policy, mutations);
  return mutations;
}

function compiledMutations(policy: CompiledPolicy): readonly Mutation[] {
  const environment = withPatchTypes(policy.environment(true));
  return objectsOf(policy.spec.mutations).map(({ patchType, applyConfiguration, jsonPatch }) => {
    const isApplied = patchType === 'ApplyConfiguration';
    const text = textOf(objectAt(isApplied ? applyConfiguration : jsonPatch).expression);
    const type = isApplied ? 'Object' : 'list(JSONPatch)';
    return {
      ...policy.compiled(text, [type], environment),
      kind: isApplied ? 'ApplyConfiguration' : 'JSONPatch',
    };
  });
}
