import { useEffect, useState } from 'preact/hooks';
import type { LiveObject } from '../../lib/client/objects/index.ts';
import { findKind, followObjects, watchState } from '../api/index.ts';
import { route } from '../route/index.ts';

/** The objects of a collection as the page has them now. */
export interface FollowedSet<Body> {
  readonly objects: readonly LiveObject<Body>[];
  /** Whether the first list is complete. */
  readonly isComplete: boolean;
  /** `live`, or why the objects may be old. */
  readonly state: string;
  readonly error: Error | undefined;
}

const NONE = { objects: [], isComplete: false, state: 'starting', error: undefined };

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
      if (set.state === 'live') error = undefined;
      setFound({ objects: set.snapshot(), isComplete: set.complete, state: set.state, error });
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
