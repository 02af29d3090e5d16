import { useEffect, useState } from 'preact/hooks';
import { NotFoundError } from '../../lib/client/objects/index.ts';
import { ask, objectPath } from '../api/index.ts';
import { sessionInfo } from '../session/index.ts';
import { type KubeObject, whyNoWrites } from '../what-if/index.ts';
import { Age, Empty, ErrorPanel, Waiting } from '../widgets/index.ts';
import { type Change, type ChangePage, changedFields, endOf } from './change.ts';
import { DifferenceView } from './difference-view.tsx';
import type { Place } from './object-requests.ts';
import { RestoreDialog, type Restoring } from './restore-dialog.tsx';

const PAGE = 20;
/** The most changed fields that a line names. */
const MOST_FIELDS = 4;

const HOW = { Created: 'enter', Updated: 'change', Deleted: 'leave' } as const;

interface HistoryTabProps {
  readonly place: Place;
  /** Undefined if the object does not exist any more. */
  readonly object: KubeObject | undefined;
  readonly changed: () => void;
}

interface Loaded {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly end: string | undefined;
}

/** The changes of an object, the newest first. Any state can be restored. */
export function HistoryTab({ place, object, changed }: HistoryTabProps) {
  const [withStatus, setWithStatus] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<Error>();
  const [isLoading, setLoading] = useState(false);
  const [chosen, setChosen] = useState<Restoring>();
  const isHidden = place.kind.id === 'secrets' && !sessionInfo.value.secrets;
  const load = async (before: Loaded | undefined, signal?: AbortSignal) => {
    setLoading(true);
    try {
      const page = await readPage(place, { withStatus, next: before?.next ?? '', signal });
      const changes = [...(before?.changes ?? []), ...page.items];
      setLoaded({ changes, next: page.metadata.continue ?? '', end: page.end });
      setError(undefined);
    } catch (failure) {
      if (signal?.aborted !== true) setError(failure as Error);
    }
    if (signal?.aborted !== true) setLoading(false);
  };
  const version = object?.metadata.resourceVersion;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the object's version stands for its changes
  useEffect(() => {
    if (isHidden) return undefined;
    const ending = new AbortController();
    void load(undefined, ending.signal);
    return () => ending.abort(new Error('the history was asked anew'));
  }, [withStatus, version, isHidden]);
  if (isHidden) {
    return (
      <Empty title="The history of Secrets is not shown">
        <p>
          It holds their data. Start the console with <code>--secrets</code> to see it.
        </p>
      </Empty>
    );
  }
  if (loaded === undefined) {
    if (error === undefined) return <Waiting what="Reading the history" />;
    if (error instanceof NotFoundError) return <Empty title="It has no history: it never existed." />;
    return <ErrorPanel error={error} retry={() => void load(undefined)} />;
  }
  const { changes, next, end } = loaded;
  return (
    <div class="history">
      <p class="tab-bar">
        <span class="meta">Changes, the newest first</span>
        <label>
          <input
            type="checkbox"
            checked={withStatus}
            onChange={(event) => setWithStatus(event.currentTarget.checked)}
          />{' '}
          changes of the status, too
        </label>
      </p>
      {changes.length === 0 && next === '' && (
        <Empty title="No changes are recorded">
          <p>Winnow keeps changes for one day, or for longer with the setting "historyDays".</p>
        </Empty>
      )}
      <ol class="changes">
        {changes.map((change, at) => (
          <ChangeItem
            key={change.resourceVersion}
            change={change}
            isNewest={at === 0}
            exists={object !== undefined}
            restore={setChosen}
          />
        ))}
      </ol>
      {error !== undefined && <ErrorPanel error={error} />}
      {next !== '' && (
        <button type="button" onClick={() => isLoading || void load(loaded)}>
          Older changes
        </button>
      )}
      {endOf(end) !== '' && <p class="meta">{endOf(end)}</p>}
      {chosen !== undefined && (
        <RestoreDialog
          place={place}
          current={object}
          {...chosen}
          close={() => setChosen(undefined)}
          changed={changed}
        />
      )}
    </div>
  );
}

interface ChangeItemProps {
  readonly change: Change;
  readonly isNewest: boolean;
  /** Whether the object exists. */
  readonly exists: boolean;
  readonly restore: (chosen: Restoring) => void;
}

function ChangeItem({ change, isNewest, exists, restore }: ChangeItemProps) {
  const { resourceVersion, previousResourceVersion, time, type, user, manager, cause, before, after } =
    change;
  const [isOpen, setOpen] = useState(false);
  const fields = changedFields(change);
  const why = whyNoWrites();
  // The newest state is the present one, so there only the change itself can be taken back.
  const isUndo = type === 'Deleted' || (isNewest && exists);
  const state = isUndo ? before : after;
  const version = isUndo ? (previousResourceVersion ?? '') : resourceVersion;
  const what = type === 'Deleted' ? 'Create again' : isUndo ? 'Undo' : 'Restore';
  return (
    <li class={`edge ${HOW[type]}-edge`}>
      <div class="change-line">
        <span class={HOW[type]}>{type}</span>
        <span class="meta">
          <Age since={time} /> ago
        </span>
        <span title={time}>{user ?? 'Winnow'}</span>
        {manager !== undefined && <span class="meta">by {manager}</span>}
        <span class="meta mono" title="The resourceVersion after the change">
          {resourceVersion}
        </span>
        <span class="change-actions">
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the difference' : 'Difference'}
          </button>
          {state !== undefined && (
            <button
              type="button"
              class="link"
              disabled={why !== ''}
              title={why || `Shows the difference first: the state at ${version}`}
              onClick={() => restore({ what, state, version })}
            >
              {what}
            </button>
          )}
        </span>
      </div>
      {fields.length > 0 && (
        <p class="changed-fields mono">
          {fields.slice(0, MOST_FIELDS).map(({ how, field, value }) => (
            <span key={field} class={{ added: 'enter', removed: 'leave', changed: 'change' }[how]}>
              {{ added: '+', removed: '−', changed: '~' }[how]}
              {field}
              {value !== '' && <span class="value">={value}</span>}
            </span>
          ))}
          {fields.length > MOST_FIELDS && <span class="meta">and {fields.length - MOST_FIELDS} more</span>}
        </p>
      )}
      {cause !== undefined && <p class="meta">"{cause}"</p>}
      {isOpen && <DifferenceView before={before} after={after} label={`The change at ${resourceVersion}`} />}
    </li>
  );
}

interface PageRequest {
  readonly withStatus: boolean;
  readonly next: string;
  readonly signal: AbortSignal | undefined;
}

function readPage({ kind, ...name }: Place, { withStatus, next, signal }: PageRequest): Promise<ChangePage> {
  const query = { states: 'true', limit: String(PAGE), continue: next, ...(withStatus && { all: 'true' }) };
  return ask<ChangePage>(`${objectPath(kind, name)}/history`, { query, signal });
}
