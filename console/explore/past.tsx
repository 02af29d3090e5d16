import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Column } from '../../lib/client/objects/index.ts';
import type { Row } from '../api/index.ts';
import { ask, type KindInfo, pathOf, TABLE } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { Empty, ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import type { LiveTable } from './live-table.ts';
import { differences, minutesOf } from './past-set.ts';
import { keyOf } from './rows.ts';
import { SetTable } from './set-table.tsx';

/** The oldest moment of the slider, in minutes back from now. By default Winnow keeps the changes of one day. */
const LONGEST = 24 * 60;
/** The most objects that are compared with now. */
const MOST = 2_000;
const PAGE = 500;
/** The time without movement after which the slider asks, in ms. */
const SETTLED = 200;

const NONE: ReadonlySet<string> = new Set();

interface TablePage {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly columnDefinitions: readonly Column[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Row }[];
}

/** The set as it was, and what changed since then. */
export function Past({ kind, live }: { readonly kind: KindInfo; readonly live: LiveTable }) {
  const { namespace, selector, fields, at, as, groups } = route.value;
  const key = JSON.stringify([kind.id, namespace, selector, fields, at, as, groups]);
  const { answer, error, again } = useAsked(key, (signal) => readPast(kind, signal));
  const minutes = minutesOf(at);
  return (
    <>
      <section class="set" aria-label="The set in the past">
        <TimeBar minutes={minutes} at={at} />
        {error !== undefined ? (
          <ErrorPanel error={error} retry={again} />
        ) : answer === undefined ? (
          <Waiting what="Reading the past" />
        ) : (
          <PastRows kind={kind} live={live} past={answer} />
        )}
      </section>
      <footer class="explore-foot">
        <span class="dot" />
        <span role="status">
          {answer === undefined
            ? 'The past'
            : `As it was at version ${Number(answer.version).toLocaleString('en')}`}
        </span>
        {answer?.isCut === true && <span>the first {MOST.toLocaleString('en')} objects</span>}
      </footer>
    </>
  );
}

function TimeBar({ minutes, at }: { readonly minutes: number | undefined; readonly at: string }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const moved = useSignal(minutes);
  useEffect(() => {
    moved.value = minutes;
  }, [minutes, moved]);
  const shown = moved.value ?? 0;
  const goTo = (value: number) => {
    moved.value = value;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => navigate({ at: `${Math.max(1, value)}m` }, { replace: true }), SETTLED);
  };
  return (
    <div class="set-head time">
      <label for="time">Back in time</label>
      <input
        id="time"
        type="range"
        min={-LONGEST}
        max={-1}
        step={1}
        value={-shown}
        aria-valuetext={`${shown} minutes ago`}
        onInput={(event) => goTo(-Number(event.currentTarget.value))}
      />
      <span class="count">{minutes === undefined ? at : `${durationOf(shown)} ago`}</span>
      <div class="actions">
        {[1, 5, 15, 60, 360].map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={minutes === one}
            onClick={() => navigate({ at: `${one}m` })}
          >
            {durationOf(one)}
          </button>
        ))}
        <button type="button" onClick={() => navigate({ at: '' })}>
          Now
        </button>
      </div>
    </div>
  );
}

interface PastSet {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly version: string;
  /** Whether the set had more objects. */
  readonly isCut: boolean;
}

function PastRows({
  kind,
  live,
  past,
}: {
  readonly kind: KindInfo;
  readonly live: LiveTable;
  readonly past: PastSet;
}) {
  const isWhole = live.complete.value && !past.isCut;
  const found = differences(past.rows, live.rows.value, isWhole);
  const ordered = useSignal({ rows: past.rows, waiting: 0, gone: NONE });
  const active = useSignal('');
  const isPointed = useSignal(false);
  const never = useSignal(false);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const marks = useSignal(found.marks);
  const columns = useSignal(past.columns);
  const rows = useSignal(found.rows);
  ordered.value = { rows: found.rows, waiting: 0, gone: NONE };
  marks.value = found.marks;
  columns.value = past.columns;
  rows.value = found.rows;
  if (found.rows.length === 0) return <Empty title="No object matched then." />;
  return (
    <>
      <p class="meta time-note">
        {past.rows.length.toLocaleString('en')} objects then. Since then{' '}
        {isWhole && `${found.left} left, ${found.entered} entered, `}
        {found.changed} changed their labels.
      </p>
      <SetTable
        kind={kind}
        live={{ columns, marks, rows }}
        ordered={ordered}
        active={active}
        selected={selected}
        isDimmed={never}
        isPointed={isPointed}
        toggle={(row) => {
          const next = new Set(selected.value);
          if (!next.delete(keyOf(row))) next.add(keyOf(row));
          selected.value = next;
        }}
        open={({ metadata: { namespace = '', name } }) =>
          navigate({ open: `${kind.id}:${namespace === '' ? '' : `${namespace}/`}${name}`, tab: 'history' })
        }
      />
    </>
  );
}

async function readPast(kind: KindInfo, signal: AbortSignal): Promise<PastSet> {
  const { namespace, selector, fields, at } = route.value;
  const asked = { labelSelector: selector, fieldSelector: fields, limit: String(PAGE) };
  const rows: Row[] = [];
  let columns: readonly Column[] = [];
  for (let token = '', isFirst = true; ; isFirst = false) {
    // Later pages are of the moment of the first one.
    const query = { ...asked, continue: token, at: isFirst ? at : '' };
    const page = await ask<TablePage>(pathOf(kind, namespace), { query, accept: TABLE, signal });
    for (const { object, cells } of page.rows) rows.push({ ...object, cells });
    if (isFirst) columns = page.columnDefinitions;
    token = page.metadata.continue ?? '';
    if (token === '' || rows.length >= MOST) {
      return { rows, columns, version: page.metadata.resourceVersion, isCut: token !== '' };
    }
  }
}

function durationOf(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
