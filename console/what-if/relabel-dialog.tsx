import { useMemo, useRef, useState } from 'preact/hooks';
import type { KindInfo, Row } from '../api/index.ts';
import { route } from '../route/index.ts';
import { judge } from '../selector/index.ts';
import { sessionInfo } from '../session/index.ts';
import { Dialog, toast } from '../widgets/index.ts';
import { inPool } from './in-pool.ts';
import {
  type ChangeLine,
  changeBetween,
  changed,
  changeOf,
  EMPTY_LINE,
  isEmptyChange,
  type LabelChange,
} from './label-change.ts';
import { LabelEffects } from './label-effects.tsx';
import { LabelForm } from './label-form.tsx';
import { counted, type Done, summaryOf, troubleOf } from './outcomes.ts';
import { whyNoWrites } from './why-no-writes.ts';
import { type LabelWrite, reverseOf, writeLabels } from './write-labels.ts';

/** The most writes that are on their way at once. */
const AT_ONCE = 4;
/** The most objects that the dialog names after the writes. */
const MOST_NAMED = 50;

interface RelabelDialogProps {
  readonly kind: KindInfo;
  readonly rows: readonly Row[];
  readonly close: () => void;
}

type Phase =
  | { readonly is: 'edit' }
  | { readonly is: 'writing'; readonly done: number; readonly of: number }
  | { readonly is: 'done'; readonly troubles: readonly Done[]; readonly summary: string };

/** Changes the labels of objects, after it has shown what that does. */
export function RelabelDialog({ kind, rows, close }: RelabelDialogProps) {
  // What the user saw is what is written: a row that changes meanwhile is a conflict.
  const [objects] = useState(rows);
  const [lines, setLines] = useState<readonly ChangeLine[]>([EMPTY_LINE]);
  const [typed, setTyped] = useState('');
  const [phase, setPhase] = useState<Phase>({ is: 'edit' });
  const stopping = useRef(new AbortController());
  const [isSettled, setSettled] = useState(false);
  const known = useMemo(() => knownLabels(objects), [objects]);
  const change = changeOf(lines);
  const writes = change === undefined ? [] : writesOf(objects, change);
  const asksNumber = !sessionInfo.value.loopback && objects.length > 1;
  const why = whyNoWrites();
  const isAsking = change !== undefined && !isSettled;
  const isConfirmed = !asksNumber || typed.trim() === String(writes.length);
  const write = async () => {
    stopping.current = new AbortController();
    const done = await writeAll(kind, writes, {
      signal: stopping.current.signal,
      told: (count) => setPhase({ is: 'writing', done: count, of: writes.length }),
    });
    const summary = summaryOf(done, 'Relabelled');
    offerUndo(kind, done, summary);
    const troubles = done.filter((one) => troubleOf(one) !== '');
    if (troubles.length === 0) return close();
    setPhase({ is: 'done', troubles, summary });
  };
  // The writes go on without the dialog, so only "Stop" ends them.
  const leave = () => phase.is !== 'writing' && close();
  const title =
    objects.length === 1
      ? `Labels of ${objects[0]?.metadata.name}`
      : `Labels of ${counted(objects.length, kind.singular)}`;
  return (
    <Dialog
      title={title}
      close={leave}
      size="wide"
      actions={
        phase.is === 'writing' ? (
          <button type="button" onClick={() => stopping.current.abort(new Error('stopped'))}>
            Stop
          </button>
        ) : phase.is === 'done' ? (
          <button type="button" onClick={close}>
            Close
          </button>
        ) : (
          <>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <button
              type="submit"
              form="relabel"
              class="primary"
              disabled={writes.length === 0 || !isConfirmed || why !== '' || isAsking}
              title={why || (isAsking ? 'The effects are not known yet' : '')}
            >
              {writes.length === 0 ? 'Relabel' : `Relabel ${counted(writes.length, 'object')}`}
            </button>
          </>
        )
      }
    >
      {phase.is === 'writing' && <Progress done={phase.done} of={phase.of} />}
      {phase.is === 'done' && <Troubles troubles={phase.troubles} summary={phase.summary} />}
      {phase.is === 'edit' && (
        <>
          <form
            id="relabel"
            onSubmit={(event) => {
              event.preventDefault();
              void write();
            }}
          >
            <LabelForm lines={lines} change={setLines} known={known} />
          </form>
          {why !== '' && <p class="remark">{why}.</p>}
          {change === undefined ? (
            <p class="meta">
              Set <code>tier=frontend</code>, or remove a key. The effect on Services, controllers, policies,
              Subscriptions and grants shows here before anything is written.
            </p>
          ) : (
            <>
              <Leavers kind={kind} writes={writes} of={objects.length} />
              <h3>What selects them</h3>
              <LabelEffects
                kind={kind}
                objects={objects}
                change={change}
                leave={close}
                settled={setSettled}
              />
            </>
          )}
          {asksNumber && change !== undefined && writes.length > 0 && (
            <label class="confirm">
              <span>
                This is not a local server. Type the number of objects, <b>{writes.length}</b>, to write:
              </span>
              <input
                inputMode="numeric"
                autocomplete="off"
                form="relabel"
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Says how many objects leave the set that the page shows. */
function Leavers({ kind, writes, of }: { kind: KindInfo; writes: readonly LabelWrite[]; of: number }) {
  const { view, kind: shown, selector } = route.value;
  const verdict = judge(selector);
  if (view !== 'explore' || shown !== kind.id || selector === '' || !('selector' in verdict)) return null;
  const wanted = verdict.selector;
  const leaving = writes.filter(
    ({ before, after }) => wanted.matches(before) && !wanted.matches(after),
  ).length;
  if (leaving === 0) {
    return (
      <p class="meta">
        No object leaves the set <code>{selector}</code>, which the page shows.
      </p>
    );
  }
  return (
    <p class="remark leave-edge">
      {leaving === of ? 'All' : `${leaving} of`} {counted(of, 'object')} {leaving === 1 ? 'leaves' : 'leave'}{' '}
      the set <code>{selector}</code>: the page does not show {leaving === 1 ? 'it' : 'them'} any more.
    </p>
  );
}

function Progress({ done, of }: { readonly done: number; readonly of: number }) {
  return (
    <div class="written" role="status">
      <progress value={done} max={of} aria-label="Written objects" />
      <p>
        {done} of {counted(of, 'object')}
      </p>
    </div>
  );
}

function Troubles({ troubles, summary }: { readonly troubles: readonly Done[]; readonly summary: string }) {
  const more = troubles.length - MOST_NAMED;
  return (
    <>
      <p role="status">{summary}. These do not have the new labels, or may not have them:</p>
      <table class="plain">
        <tbody>
          {troubles.slice(0, MOST_NAMED).map((one) => (
            <tr key={one.write.uid} class="edge change-edge">
              <th scope="row" class="mono">
                {nameOf(one.write)}
              </th>
              <td>{troubleOf(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="meta">And {more} more.</p>}
    </>
  );
}

function writesOf(objects: readonly Row[], change: LabelChange): LabelWrite[] {
  return objects.flatMap(
    ({ metadata: { name, namespace = '', uid, resourceVersion, labels: before = {} } }) => {
      const after = changed(before, change);
      if (isEmptyChange(changeBetween(before, after))) return [];
      return { name, namespace, uid, resourceVersion, before, after };
    },
  );
}

interface WriteOptions {
  readonly signal: AbortSignal;
  readonly told?: (count: number) => void;
}

async function writeAll(
  kind: KindInfo,
  writes: readonly LabelWrite[],
  { signal, told = () => {} }: WriteOptions,
): Promise<readonly Done[]> {
  let count = 0;
  told(count);
  const outcomes = await inPool(writes, { most: AT_ONCE, signal }, async (write) => {
    const outcome = await writeLabels(kind, write);
    told(++count);
    return outcome;
  });
  return writes.map((write, at) => ({ write, outcome: outcomes[at] }));
}

/** Tells what was written, and offers to take it back. An object that changed since then keeps its labels. */
export function offerUndo(kind: KindInfo, done: readonly Done[], summary: string): void {
  const reverse = done.flatMap(({ write, outcome }) =>
    outcome?.what === 'written' ? reverseOf(write, outcome.resourceVersion) : [],
  );
  if (reverse.length === 0) {
    toast(summary, { kind: 'failed' });
    return;
  }
  const action = { text: 'Undo', act: () => void undo() };
  const undo = async () => {
    const why = whyNoWrites();
    // The offer stays for the time after "see as".
    if (why !== '') return toast(why, { kind: 'failed', action });
    const undone = await writeAll(kind, reverse, { signal: new AbortController().signal });
    const troubles = undone.filter((one) => troubleOf(one) !== '');
    const left = troubles.map((one) => `${one.write.name}: ${troubleOf(one)}`).slice(0, 5);
    const more = troubles.length - left.length;
    const words = [
      summaryOf(undone, 'Restored the earlier labels of'),
      ...left,
      ...(more > 0 ? [`and ${more} more`] : []),
    ];
    toast(words.join('. '), { kind: troubles.length === 0 ? 'done' : 'failed' });
  };
  toast(summary, { action });
}

function knownLabels(objects: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  for (const { metadata } of objects) {
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      known.set(key, (known.get(key) ?? new Set<string>()).add(value));
    }
  }
  return known;
}

function nameOf({ namespace, name }: LabelWrite): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
