import { useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { type KindInfo, pointAt, type Row } from '../api/index.ts';
import { navigate, openText, route } from '../route/index.ts';
import { sessionInfo } from '../session/index.ts';
import { ErrorPanel, Lazy, Menu, toast, useComputedOf, useKeys } from '../widgets/index.ts';
import { exportItems } from './export-rows.ts';
import type { LiveTable } from './live-table.ts';
import type { Narrowed } from './narrowing.ts';
import { NoRows } from './no-rows.tsx';
import { Pivot } from './pivot.tsx';
import { useReadAhead } from './read-ahead.ts';
import { keyOf } from './rows.ts';
import { SetTable } from './set-table.tsx';
import { comparing, RowOrder } from './shown-rows.ts';

const READ_ONLY = 'The console runs with --read-only';

interface SetPanelProps {
  readonly kind: KindInfo;
  readonly live: LiveTable;
  readonly shown: Narrowed;
}

/** The set as a table or as a pivot, with what can be done with it. */
export function SetPanel({ kind, live, shown }: SetPanelProps) {
  const { mode, sort } = route.value;
  const order = useSignal(new RowOrder());
  const isPointed = useSignal(false);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const active = useSignal('');
  const rest = useReadAhead(kind);
  const relabelling = useSignal<readonly Row[] | undefined>(undefined);
  const compare = useComputedOf([live], () => comparing(route.value.sort, live.columns.value));
  const ordered = useComputedOf([live, shown, compare], () =>
    order.value.order({
      rows: shown.rows.value,
      leaving: shown.isNarrowed.value ? new Map() : live.leaving.value,
      compare: compare.value,
      isFrozen: isPointed.value,
    }),
  );
  const isHeld = isPointed.value;
  useEffect(() => live.hold(isHeld), [live, isHeld]);
  // A new order begins with rows that may move.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sort is the reason
  useEffect(() => {
    order.value = new RowOrder();
  }, [sort, shown]);
  const chosen = () => shown.rows.value.filter((row) => selected.value.has(keyOf(row)));
  const toggle = useCallback(
    (row: Row | undefined) => {
      if (row === undefined) return;
      const next = new Set(selected.value);
      if (!next.delete(keyOf(row))) next.add(keyOf(row));
      selected.value = next;
    },
    [selected],
  );
  const toggleAll = () => {
    selected.value = chosen().length > 0 ? new Set() : new Set(shown.rows.value.map(keyOf));
  };
  const activeAt = () =>
    active.value === '' ? -1 : ordered.value.rows.findIndex((row) => keyOf(row) === active.value);
  const at = () => ordered.value.rows[activeAt()];
  const move = (by: number) => {
    const { rows } = ordered.value;
    const row = rows[Math.min(Math.max(activeAt() + by, 0), rows.length - 1)];
    if (row === undefined) return;
    active.value = keyOf(row);
    rest(row);
  };
  const open = useCallback(
    (row: Row | undefined) => {
      if (row === undefined) return;
      pointAt(kind, row);
      const { namespace = '', name } = row.metadata;
      navigate({ open: openText({ kind: kind.id, namespace, name }) });
    },
    [kind],
  );
  const { readOnly } = sessionInfo.value;
  const relabel = () => {
    const one = at();
    const marked = chosen();
    const rows = marked.length > 0 ? marked : one === undefined ? [] : [one];
    if (readOnly) return toast(READ_ONLY, { kind: 'failed' });
    if (rows.length > 0) relabelling.value = rows;
  };
  useKeys({
    j: beside(() => move(1)),
    k: beside(() => move(-1)),
    ArrowDown: inTable(() => move(1)),
    ArrowUp: inTable(() => move(-1)),
    Enter: inTable(() => (at() === undefined ? false : open(at()))),
    x: beside(() => toggle(at())),
    a: beside(toggleAll),
    e: beside(relabel),
    p: () => navigate({ mode: mode === 'pivot' ? 'table' : 'pivot' }),
  });
  const error = live.error.value;
  const isFailed = error !== undefined && live.rows.value.length === 0;
  const count = selected.value.size === 0 ? 0 : chosen().length;
  return (
    <section class="set" aria-label={`The set of ${kind.plural}`}>
      <div class="set-head">
        {!isFailed && <Count live={live} shown={shown} />}
        <div class="toggle" role="group" aria-label="Show as">
          {(['table', 'pivot'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={mode === one}
              onClick={() => navigate({ mode: one })}
            >
              {one === 'table' ? 'Table' : 'Pivot'}
            </button>
          ))}
        </div>
        {ordered.value.waiting > 0 && (
          <span
            class="waiting-rows"
            role="status"
            title="Rows do not move under the pointer. Move it away to see them."
          >
            {ordered.value.waiting} new
          </span>
        )}
        <div class="actions">
          {count > 0 && (
            <button type="button" onClick={toggleAll}>
              {count} selected ✕
            </button>
          )}
          <button
            type="button"
            disabled={readOnly || (count === 0 && at() === undefined)}
            title={
              readOnly
                ? READ_ONLY
                : count === 0
                  ? 'Select rows first (x, or their boxes), or all with a'
                  : 'Change labels of the selected objects'
            }
            onClick={relabel}
          >
            Relabel
          </button>
          <Menu label="Export" items={exportItems(kind, live, shown.rows)} class="right" />
        </div>
      </div>
      {isFailed ? (
        <ErrorPanel error={error} retry={() => location.reload()} />
      ) : mode === 'pivot' ? (
        <Pivot kind={kind} live={live} shown={shown} />
      ) : live.state.value !== 'starting' && ordered.value.rows.length === 0 ? (
        <NoRows kind={kind} isUnfinished={shown.isNarrowed.value} />
      ) : (
        <SetTable
          kind={kind}
          live={live}
          ordered={ordered}
          active={active}
          selected={selected}
          isDimmed={shown.isDimmed}
          isPointed={isPointed}
          toggle={toggle}
          toggleAll={() => {
            const all = shown.rows.value.map(keyOf);
            selected.value = new Set(all.every((key) => selected.value.has(key)) ? [] : all);
          }}
          open={open}
          rest={rest}
        />
      )}
      {relabelling.value !== undefined && (
        <Lazy
          load={() => import('../what-if/index.ts').then((part) => part.RelabelDialog)}
          props={{
            kind,
            rows: relabelling.value,
            close: () => {
              relabelling.value = undefined;
            },
          }}
        />
      )}
    </section>
  );
}

/** A key that acts only while no part of the page has the focus, or the table has it: others have their own keys. */
function inTable(act: () => unknown): () => unknown {
  return () => {
    const focused = document.activeElement;
    const isFree = focused === null || focused === document.body || focused.matches('main, [role=grid]');
    return isFree ? act() : false;
  };
}

/** A key that acts while the focus is not in the drawer of an object. */
function beside(act: () => unknown): () => unknown {
  return () => (document.activeElement?.closest('.drawer') ? false : act());
}

function Count({ live, shown }: { readonly live: LiveTable; readonly shown: Narrowed }) {
  const count = live.count.value;
  const here = live.rows.value.length;
  const text = (number: number) => number.toLocaleString('en');
  if (shown.isNarrowed.value) {
    return (
      <span class="count" role="status">
        {text(shown.rows.value.length)} of {text(count)}
      </span>
    );
  }
  const isPart = here < count || (live.state.value === 'starting' && here > 0);
  return (
    <span class="count" role="status">
      {isPart ? `${text(here)} of ${text(count)}${live.state.value === 'starting' ? '+' : ''}` : text(count)}{' '}
      {count === 1 ? 'object' : 'objects'}
    </span>
  );
}
