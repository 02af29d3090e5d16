import type { KindInfo } from '../api/index.ts';
import { changeBetween, isEmptyChange } from './label-change.ts';
import { LabelEffects } from './label-effects.tsx';
import { isOther, type KubeObject, type OwnSelection, ownSelection } from './own-selections.ts';
import { SelectorEffects } from './selector-effects.tsx';

interface WhatIfProps {
  readonly kind: KindInfo;
  /** The object as it is, and as it would be. */
  readonly before: KubeObject;
  readonly after: KubeObject;
}

/** What an edit of one object does: to what selects it, if labels change, and to what it selects, if its selector does. */
export function WhatIf({ kind, before, after }: WhatIfProps) {
  const change = changeBetween(before.metadata.labels, after.metadata.labels);
  const selections = selectionsOf(kind, before, after);
  if (isEmptyChange(change) && selections === undefined) return null;
  return (
    <section class="what-if" aria-label="What if">
      {!isEmptyChange(change) && (
        <>
          <h3>What the labels change</h3>
          <LabelEffects kind={kind} objects={[before]} change={change} />
        </>
      )}
      {selections !== undefined && (
        <>
          <h3>What the selector changes</h3>
          <SelectorEffects {...selections} />
        </>
      )}
    </section>
  );
}

/** The selections before and after an edit; undefined if the edit leaves them as they are, or one is not understood. */
function selectionsOf(
  { id }: KindInfo,
  before: KubeObject,
  after: KubeObject,
): { readonly before: OwnSelection; readonly after: OwnSelection } | undefined {
  try {
    const [old, now] = [ownSelection(id, before), ownSelection(id, after)];
    return old !== undefined && now !== undefined && isOther(old, now)
      ? { before: old, after: now }
      : undefined;
  } catch {
    // The server refuses a wrong selector with a better sentence.
    return undefined;
  }
}
