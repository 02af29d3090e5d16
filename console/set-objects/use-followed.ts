import { useEffect, useState } from 'preact/hooks';
import type { LiveObject } from '../../lib/client/objects/index.ts';
import { findKind, followObjects, watchState } from '../api/index.ts';
import { route } from '../route/index.ts';

/** The objects of a collection as the page has them now. */
export interface FollowedSet<Body> {
  readonly objects: readonly LiveObject<Body>[];
  /** The number of objects in words: `12`, or `2000 of 4800` if the page does not hold all. Empty until it is known. */
  readonly number: string;
  readonly isComplete: boolean;
  /** `live`, or why the objects may be old. */
  readonly state: string;
  /** Why there is nothing to show, or why the set is not followed any more. */
  readonly error: Error | undefined;
}

const NONE = { objects: [], number: '', isComplete: false, state: 'starting', error: undefined };

/** Follows the objects of a kind in the namespace of the route. */
export function useFollowed<Body>(kindId: string): FollowedSet<Body> {
  const { namespace, as, groups } = route.value;
  const kind = findKind(kindId);
  const question = JSON.stringify([kind?.id, namespace, as, groups]);
  const [found, setFound] = useState<FollowedSet<Body>>(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the question
  useEffect(() => {
    if (kind === undefined) return undefined;
    setFound(NONE);
    let error: Error | undefined;
    const set = followObjects<Body>({ kind, namespace, selector: '', fields: '' });
    const show = () => {
      const { state, count, complete: isComplete } = set;
      const objects = set.snapshot();
      if (state === 'live') error = undefined;
      const number = isComplete ? String(count) : state === 'live' ? `${objects.length} of ${count}` : '';
      // While the set is only old, the objects stay, and the state says so.
      const isOnlyOld = state !== 'stopped' && objects.length > 0;
      setFound({ objects, number, isComplete, state, error: isOnlyOld ? undefined : error });
    };
    set.on('error', (failure) => {
      if (watchState.value !== 'resting') error = failure;
      show();
    });
    set.subscribe(show);
    return () => void set.stop();
  }, [question]);
  return found;
}
