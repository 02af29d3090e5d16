import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { OutcomeUnknownError } from '../../lib/client/objects/index.ts';
import { ask, type KindInfo, objectPath } from '../api/index.ts';
import { whyNoWrites } from '../what-if/index.ts';
import { Dialog, ErrorPanel, toast } from '../widgets/index.ts';

interface RemoveDialogProps {
  readonly kind: KindInfo;
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly uid: string };
  /** What the deletion does. */
  readonly children: ComponentChildren;
  readonly close: () => void;
}

/** Asks before it deletes an object. It deletes only the object that the page shows, not a newer one of the same name. */
export function RemoveDialog({ kind, metadata, children, close }: RemoveDialogProps) {
  const { namespace = '', name, uid } = metadata;
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const why = whyNoWrites();
  const remove = async () => {
    setBusy(true);
    try {
      const body = { preconditions: { uid } };
      await ask(objectPath(kind, { namespace, name }), { method: 'DELETE', body });
      toast(`Deleted ${kind.kind} ${name}`);
      close();
    } catch (failure) {
      setError(failure as Error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Delete ${kind.kind} ${name}?`}
      close={close}
      actions={
        <>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="danger"
            disabled={isBusy || why !== ''}
            title={why}
            onClick={() => void remove()}
          >
            Delete
          </button>
        </>
      }
    >
      {children}
      {error !== undefined && <ErrorPanel error={error} />}
      {error instanceof OutcomeUnknownError && (
        <p>The answer was lost. The list behind this window shows whether the object is still there.</p>
      )}
    </Dialog>
  );
}
