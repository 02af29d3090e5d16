import { useState } from 'preact/hooks';
import type { KubeObject } from '../what-if/index.ts';
import { Dialog, ErrorPanel, toast } from '../widgets/index.ts';
import { adviceOf, deleteObject, type Place, type Propagation } from './object-requests.ts';

const PROPAGATIONS: Readonly<Record<Propagation, string>> = {
  Background: 'The object goes at once, and the objects that it owns go some seconds later.',
  Foreground: 'The objects that it owns go first, and the object after them.',
  Orphan: 'The objects that it owns stay, without an owner.',
};

interface DeleteDialogProps {
  readonly place: Place;
  readonly object: KubeObject;
  readonly close: () => void;
  /** Called after the delete, also if its answer was lost. */
  readonly deleted: () => void;
}

/** Asks before an object is deleted. */
export function DeleteDialog({ place, object, close, deleted }: DeleteDialogProps) {
  const [propagation, setPropagation] = useState<Propagation>('Background');
  const [isWriting, setWriting] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const { kind, name } = place;
  const { uid, finalizers = [] } = object.metadata;
  const advice = failure && adviceOf(failure);
  const confirm = async () => {
    setWriting(true);
    try {
      await deleteObject(place, uid, propagation);
      toast(finalizers.length === 0 ? `Deleted ${name}` : `${name} is being deleted`);
      deleted();
    } catch (error) {
      setFailure(error as Error);
      setWriting(false);
    }
  };
  return (
    <Dialog
      title={`Delete ${kind.kind} ${name}?`}
      close={() => !isWriting && close()}
      actions={
        <>
          <button type="button" disabled={isWriting} onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            disabled={isWriting || failure !== undefined}
            onClick={() => void confirm()}
          >
            Delete
          </button>
        </>
      }
    >
      {failure !== undefined && <ErrorPanel error={failure} />}
      {advice && <p class="notice">{advice}</p>}
      <fieldset class="choices-of-delete" disabled={isWriting}>
        <legend>Objects that it owns</legend>
        {(Object.keys(PROPAGATIONS) as Propagation[]).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="propagation"
              value={one}
              checked={one === propagation}
              onChange={() => setPropagation(one)}
            />
            <span>
              <b>{one}</b> <span class="meta">{PROPAGATIONS[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {finalizers.length > 0 && (
        <p class="notice">
          It has finalizers ({finalizers.join(', ')}), so it goes when controllers have removed them.
        </p>
      )}
      <p class="meta">Its history can create it again, while Winnow keeps the change.</p>
    </Dialog>
  );
}
