import { useEffect, useRef, useState } from 'preact/hooks';
import { NotFoundError } from '../../lib/client/objects/index.ts';
import { followRows, objectKey, pointedRow, type Row } from '../api/index.ts';
import type { KubeObject } from '../what-if/index.ts';
import { useAsked } from '../widgets/index.ts';
import { type Place, readObject } from './object-requests.ts';

/**
 * The time before the page follows an object that it reads, in ms. The parts of the drawer are read first, and a user who
 * goes through many objects follows only the last one.
 */
const PATIENCE = 300;

/** An object that follows the server. */
export interface FollowedObject {
  /** The newest state. Undefined before it is read, and if the object does not exist. */
  readonly object: KubeObject | undefined;
  /** The object's row, before the object is read. */
  readonly row: Row | undefined;
  readonly isGone: boolean;
  /** Whether the object was read ahead some time ago, and is read again. */
  readonly isOld: boolean;
  /** The object stays as it was while reading it fails. */
  readonly error: Error | undefined;
  /** Reads the object again. */
  readonly again: () => void;
}

/** Reads an object, and reads it again whenever it changes. */
export function useObject(place: Place): FollowedObject {
  const { kind, namespace, name } = place;
  const id = objectKey(kind, place);
  // Counts the changes that the set told of: a resourceVersion would not tell an absent object from one not yet read.
  const [changes, setChanges] = useState(0);
  const { answer, error, isOld, again } = useAsked(`${id} ${changes}`, (signal) => readObject(place, signal));
  const isGone = error instanceof NotFoundError;
  // A copy that another user read is not shown: the present one may not have the right to read it.
  const last = useRef<{ readonly id: string; readonly object: KubeObject } | undefined>(undefined);
  if (answer !== undefined) last.current = { id, object: answer };
  if (isGone || last.current?.id !== id) last.current = undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id stands for the object
  useEffect(() => {
    if (!kind.verbs.includes('watch')) return undefined;
    let stop = () => {};
    const follow = () => {
      const set = followRows({ kind, namespace, selector: '', fields: `metadata.name=${name}` });
      // Reading the object fails with the same error, and the drawer shows that.
      set.on('error', () => {});
      const forget = set.subscribe(() => {
        // Before the first list is complete, the set says nothing about the object.
        if (!set.complete) return;
        const { resourceVersion = '' } = set.get(name, namespace)?.metadata ?? {};
        if (resourceVersion !== (last.current?.object.metadata.resourceVersion ?? '')) {
          setChanges((count) => count + 1);
        }
      });
      stop = () => {
        forget();
        void set.stop();
      };
    };
    const timer = setTimeout(follow, PATIENCE);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [id]);
  return { object: last.current?.object, row: pointedRow(kind, place), isGone, isOld, error, again };
}
