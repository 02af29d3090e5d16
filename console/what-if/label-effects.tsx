import { useLayoutEffect, useMemo } from 'preact/hooks';
import { ask, type KindInfo } from '../api/index.ts';
import { ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { type Effects, type Review, sumUp } from './effects.ts';
import { EffectsPanel } from './effects-panel.tsx';
import { inPool } from './in-pool.ts';
import type { LabelChange } from './label-change.ts';
import { type Labelled, type LabelSet, labelSets } from './label-sets.ts';
import { counted } from './outcomes.ts';

/** The most different sets of labels that are reviewed. */
const MOST_SETS = 20;
/** The pause after a key press before the reviews are asked, in ms. */
const PATIENCE = 250;
const REVIEWS = '/apis/winnow.dev/v1/selectionreviews';
/** The most reviews that are asked at once. */
const AT_ONCE = 4;

interface LabelEffectsProps {
  readonly kind: KindInfo;
  readonly objects: readonly Labelled[];
  readonly change: LabelChange;
  readonly leave?: (() => void) | undefined;
  /** Takes whether the effects are known, or cannot be. */
  readonly settled?: (isSettled: boolean) => void;
}

/** What begins and stops to select objects if their labels change. */
export function LabelEffects({ kind, objects, change, leave, settled }: LabelEffectsProps) {
  const key = JSON.stringify([kind.id, change]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the change
  const { sets, leftOut, unchanged } = useMemo(() => labelSets(objects, change, MOST_SETS), [objects, key]);
  const { answer, latest, error, again } = useAsked(key, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    signal.throwIfAborted();
    return askReviews(kind, sets, signal);
  });
  const isSettled = sets.length === 0 || answer !== undefined || error !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another change is another question
  useLayoutEffect(() => settled?.(isSettled), [isSettled, key]);
  if (sets.length === 0) {
    return (
      <p class="meta">{objects.length === 1 ? 'The object has' : 'All objects have'} these labels already.</p>
    );
  }
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (latest === undefined) return <Waiting what="Asking which selectors this concerns" />;
  return (
    <div class={answer ? 'label-effects' : 'label-effects dimmed'} aria-busy={answer === undefined}>
      <EffectsPanel
        effects={latest}
        isMany={objects.length > 1}
        namespace={onlyNamespace(objects)}
        leave={leave}
      />
      {unchanged > 0 && (
        <p class="meta">
          {counted(unchanged, 'object')} {unchanged === 1 ? 'has' : 'have'} these labels already.
        </p>
      )}
      {leftOut.sets > 0 && (
        <p class="meta">
          Reviewed: the {MOST_SETS} most frequent sets of labels. Left out:{' '}
          {counted(leftOut.sets, 'more set')} with {counted(leftOut.objects, 'object')}.
        </p>
      )}
    </div>
  );
}

/** The namespace of all objects; empty if they are in several. */
function onlyNamespace(objects: readonly Labelled[]): string {
  const [first = '', ...others] = new Set(objects.map(({ metadata }) => metadata.namespace ?? ''));
  return others.length === 0 ? first : '';
}

/** Asks which selectors begin and stop to match objects after a change of their labels: one review for each set. */
async function askReviews(
  kind: KindInfo,
  sets: readonly LabelSet<Labelled>[],
  signal: AbortSignal,
): Promise<Effects> {
  const { group, plural } = kind;
  const reviewed = await inPool(sets, { most: AT_ONCE, signal }, async ({ namespace, after, objects }) => {
    const spec = {
      resource: { group, resource: plural },
      ...(namespace !== '' && { namespace }),
      // The server knows the other fields of the object, which field selectors read.
      name: objects[0]?.metadata.name,
      labels: after,
    };
    const body = { apiVersion: 'winnow.dev/v1', kind: 'SelectionReview', spec };
    const answer = await ask<{ status: Review }>(REVIEWS, { method: 'POST', isRead: true, body, signal });
    return { objects: objects.length, review: answer.status };
  });
  signal.throwIfAborted();
  return sumUp(reviewed.filter((one) => one !== undefined));
}
