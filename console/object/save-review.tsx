import { useState } from 'preact/hooks';
import { ConflictError, WinnowError } from '../../lib/client/objects/index.ts';
import { type KubeObject, WhatIf } from '../what-if/index.ts';
import { ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { shortened } from './change.ts';
import { DifferenceView } from './difference-view.tsx';
import { adviceOf, type Place, type SaveMode, saveDraft } from './object-requests.ts';
import { conflictsOf, type FieldConflict, keptFields } from './saving.ts';
import { Warnings } from './warnings.tsx';
import { draftOf } from './yaml-text.ts';

/** The most characters of a value in conflict. */
const MOST = 160;

interface SaveReviewProps {
  readonly place: Place;
  /** The present object. */
  readonly object: KubeObject;
  /** The object that the draft began as. */
  readonly begun: KubeObject;
  readonly draft: KubeObject;
  readonly back: () => void;
  readonly saved: () => void;
  readonly changed: () => void;
}

/**
 * Shows what the server would make of a draft, and then saves it. The review stays as it is when other writers change
 * what it shows; it cannot be saved then.
 */
export function SaveReview({ place, object: present, begun, draft, back, saved, changed }: SaveReviewProps) {
  const [mode, setMode] = useState<SaveMode>('apply');
  const [base, setBase] = useState(present);
  const isOutdated = differs(base, present);
  // A change of the status alone, such as a controller's, does not end the review.
  const object = isOutdated ? base : present;
  const [isWriting, setWriting] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const since = isOutdated ? base : begun;
  const key = `${mode} ${object.metadata.resourceVersion}`;
  const { answer, error, again } = useAsked(key, async () => ({
    key,
    ...(await saveDraft(place, { draft, begun: object, mode, dryRun: true })),
  }));
  const trouble = failure ?? error;
  const conflicts =
    trouble instanceof WinnowError ? conflictsOf(trouble.causes, { draft, present: object }) : [];
  const current = answer?.key === key && error === undefined ? answer : undefined;
  const kept =
    current !== undefined && mode !== 'replace' ? keptFields(draftOf(begun), draft, current.object) : [];
  const save = async () => {
    setWriting(true);
    try {
      await saveDraft(place, { draft, begun: object, mode, dryRun: false });
      saved();
    } catch (problem) {
      setFailure(problem as Error);
      setWriting(false);
      changed();
    }
  };
  const choose = (next: SaveMode) => {
    setFailure(undefined);
    setMode(next);
  };
  const reviewAgain = () => {
    setFailure(undefined);
    setBase(present);
  };
  return (
    <div class="save-review">
      <p class="tab-bar">
        <span class="meta">{conflicts.length > 0 ? 'Nothing is written yet.' : MODES[mode]}</span>
        <button type="button" disabled={isWriting} onClick={back}>
          Back to the draft
        </button>
        <button
          type="button"
          class="primary"
          disabled={current === undefined || isWriting || isOutdated || failure !== undefined}
          onClick={() => void save()}
        >
          Save
        </button>
      </p>
      {isOutdated && !isWriting && failure === undefined ? (
        <Outdated reviewAgain={reviewAgain} />
      ) : conflicts.length > 0 ? (
        <>
          <Conflicts conflicts={conflicts} take={() => choose('force')} />
          <h3>How your draft differs from the object on the server</h3>
          <DifferenceView before={editable(object)} after={draft} label="How your draft differs" />
        </>
      ) : (
        trouble !== undefined && (
          <Failed error={trouble} again={failure === undefined ? again : reviewAgain} />
        )
      )}
      {trouble === undefined && current === undefined && (
        <Waiting what="Asking the server what would change" />
      )}
      {current !== undefined && (
        <>
          <Warnings texts={current.warnings} />
          {kept.length > 0 && <Kept fields={kept} replace={() => choose('replace')} />}
          <DifferenceView before={object} after={current.object} label="What would change" />
          <WhatIf kind={place.kind} before={object} after={current.object} />
        </>
      )}
      {differs(since, present) && (
        <>
          <h3>What others changed meanwhile</h3>
          <DifferenceView
            before={editable(since)}
            after={editable(present)}
            label="What others changed meanwhile"
          />
        </>
      )}
    </div>
  );
}

const CHANGED =
  'The object has changed since this review, and nothing was written. Your draft is still here.';

/** What a user can edit of an object. */
function editable(object: KubeObject): KubeObject {
  return draftOf(object) as unknown as KubeObject;
}

function differs(one: KubeObject, other: KubeObject): boolean {
  return JSON.stringify(editable(one)) !== JSON.stringify(editable(other));
}

function Outdated({ reviewAgain }: { readonly reviewAgain: () => void }) {
  return (
    <div class="remark change-edge" role="alert">
      <p>{CHANGED}</p>
      <p class="buttons">
        <button type="button" onClick={reviewAgain}>
          Review again
        </button>
      </p>
    </div>
  );
}

const MODES: Readonly<Record<SaveMode, string>> = {
  apply: 'What the server would store. Nothing is written yet.',
  force:
    'What the server would store; the console takes over the fields in conflict. Nothing is written yet.',
  replace: 'The draft would replace the object. Nothing is written yet.',
};

/** The fields that other managers own, and the offer to take them over. */
function Conflicts({
  conflicts,
  take,
}: {
  readonly conflicts: readonly FieldConflict[];
  readonly take: () => void;
}) {
  return (
    <div class="remark change-edge" role="alert">
      <p>
        <b>Other managers own {conflicts.length === 1 ? 'a field' : 'fields'} that your draft changes.</b>
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Your value</th>
            <th scope="col">On the server</th>
            <th scope="col">Manager</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ field, manager, mine, theirs }) => (
            <tr key={`${manager} ${field}`}>
              <th scope="row" class="mono break">
                {field}
              </th>
              <td class="mono break enter">{sideOf(mine)}</td>
              <td class="mono break leave">{sideOf(theirs)}</td>
              <td>{manager}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="buttons">
        <button type="button" onClick={take}>
          Take over {conflicts.length === 1 ? 'this field' : 'these fields'}
        </button>
        <span class="meta">
          A manager that applies its own value later takes the field back, or gets a conflict.
        </span>
      </p>
    </div>
  );
}

function sideOf(value: unknown): string {
  return value === undefined ? 'absent' : shortened(value, MOST);
}

function Kept({ fields, replace }: { readonly fields: readonly string[]; readonly replace: () => void }) {
  return (
    <div class="remark change-edge">
      <p>
        Server-side apply keeps what other managers set, and what the server adds by default. You removed{' '}
        {fields.map((field, at) => (
          <span key={field}>
            {at > 0 && ', '}
            <code>{field}</code>
          </span>
        ))}
        , and {fields.length === 1 ? 'it stays' : 'they stay'}.
      </p>
      <p class="buttons">
        <button type="button" onClick={replace}>
          Remove {fields.length === 1 ? 'it' : 'them'} too
        </button>
        <span class="meta">The draft then replaces the object.</span>
      </p>
    </div>
  );
}

function Failed({ error, again }: { readonly error: Error; readonly again: () => void }) {
  const advice = adviceOf(error);
  return (
    <>
      <ErrorPanel error={error} retry={again} />
      {error instanceof ConflictError && <p class="remark">{CHANGED}</p>}
      {advice !== '' && <p class="remark">{advice}</p>}
    </>
  );
}
