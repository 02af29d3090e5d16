import { useState } from 'preact/hooks';
import { ConflictError, NotFoundError } from '../../lib/client/objects/index.ts';
import { findKind, kindIdOf } from '../api/index.ts';
import { type KubeObject, WhatIf } from '../what-if/index.ts';
import { Dialog, ErrorPanel, toast, useAsked, Waiting } from '../widgets/index.ts';
import { DifferenceView } from './difference-view.tsx';
import { adviceOf, createObject, type Place, readObject, replaceObject } from './object-requests.ts';
import { createdAnew, restored } from './restored.ts';
import { Warnings } from './warnings.tsx';

/** A state that the user wants back, and the word for the way there. */
export interface Restoring {
  readonly what: 'Restore' | 'Undo' | 'Create again';
  readonly state: KubeObject;
  /** The resourceVersion of the state. */
  readonly version: string;
}

interface RestoreDialogProps extends Restoring {
  readonly place: Place;
  /** The present object; undefined if it does not exist. */
  readonly current: KubeObject | undefined;
  readonly close: () => void;
  /** Called after a write, also after one that failed: its answer may be lost. */
  readonly changed: () => void;
}

/** Shows what a restored state would change, and then writes it, unless the object has changed meanwhile. */
export function RestoreDialog({ place, current, what, state, version, close, changed }: RestoreDialogProps) {
  const [isWriting, setWriting] = useState(false);
  const [failure, setFailure] = useState<Error>();
  // The write is only for the state that the dialog shows: after a later change it gets 409.
  const [shown] = useState(current);
  const write = async (dryRun: boolean) =>
    shown === undefined
      ? createObject(place, createdAnew(state, await livingOwners(state)), dryRun)
      : replaceObject(place, restored(shown, state), dryRun);
  const { answer, error, again } = useAsked(version, () => write(true));
  const confirm = async () => {
    setWriting(true);
    try {
      await write(false);
      toast(`${place.name} is as it was at version ${version}`);
      close();
    } catch (problem) {
      setFailure(problem as Error);
      setWriting(false);
    }
    changed();
  };
  return (
    <Dialog
      title={`${what}: ${place.name} as it was at version ${version}`}
      size="wide"
      close={() => !isWriting && close()}
      actions={
        <>
          <button type="button" disabled={isWriting} onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="primary"
            disabled={isWriting || answer === undefined || failure !== undefined}
            onClick={() => void confirm()}
          >
            {what}
          </button>
        </>
      }
    >
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {error === undefined && answer === undefined && <Waiting what="Asking the server what would change" />}
      {failure !== undefined && <Failed error={failure} />}
      {answer !== undefined && (
        <>
          <p class="meta">
            {shown === undefined
              ? 'The object is created with a new uid, without finalizers, its status, and owners that are gone.'
              : 'Labels, annotations and all fields except the status. Finalizers and owner references stay.'}
          </p>
          <Warnings texts={answer.warnings} />
          <DifferenceView before={shown} after={answer.object} label="What would change" />
          {shown !== undefined && <WhatIf kind={place.kind} before={shown} after={answer.object} />}
        </>
      )}
    </Dialog>
  );
}

function Failed({ error }: { readonly error: Error }) {
  const advice = adviceOf(error);
  return (
    <>
      <ErrorPanel error={error} />
      {error instanceof ConflictError && (
        <p class="remark">
          The object has changed meanwhile, and nothing was written. Close this, and look at its history.
        </p>
      )}
      {advice !== '' && <p class="remark">{advice}</p>}
    </>
  );
}

/** The uids of the owners in a state that still exist. */
async function livingOwners({ metadata }: KubeObject): Promise<ReadonlySet<string>> {
  const { ownerReferences = [], namespace = '' } = metadata;
  const found = await Promise.all(
    ownerReferences.map(async ({ apiVersion, kind, name, uid }) => {
      const info = findKind(kindIdOf(apiVersion, kind));
      if (info === undefined) return [];
      try {
        const owner = await readObject({ kind: info, namespace, name });
        return owner.metadata.uid === uid ? [uid] : [];
      } catch (error) {
        if (error instanceof NotFoundError) return [];
        throw error;
      }
    }),
  );
  return new Set(found.flat());
}
