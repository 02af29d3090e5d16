import type { ReadonlySignal, Signal } from '@preact/signals';
import { useCallback, useMemo } from 'preact/hooks';
import type { KindInfo, Row } from '../api/index.ts';
import { navigate, openText, route, routeUrl } from '../route/index.ts';
import { judge } from '../selector/index.ts';
import { Age, Labels, useComputedOf, VirtualRows } from '../widgets/index.ts';
import { isSpread, type ShownColumn, shownColumns, templateOf, textOf } from './columns.ts';
import type { LiveTable } from './live-table.ts';
import { keyOf, type Mark } from './rows.ts';
import type { ShownRows } from './shown-rows.ts';

interface SetTableProps {
  readonly kind: KindInfo;
  readonly live: Pick<LiveTable, 'rows' | 'columns' | 'marks'>;
  readonly ordered: ReadonlySignal<ShownRows>;
  /** The key of the row that the keys act on; empty without one. */
  readonly active: Signal<string>;
  readonly selected: ReadonlySignal<ReadonlySet<string>>;
  readonly isDimmed: ReadonlySignal<boolean>;
  readonly isPointed: Signal<boolean>;
  readonly toggle: (row: Row) => void;
  /** Selects all rows, or none. */
  readonly toggleAll?: () => void;
  readonly open: (row: Row) => void;
  /** Takes the row that the pointer is on, or nothing. */
  readonly rest?: (row: Row | undefined) => void;
}

const NO_KEYS: readonly string[] = [];
const ROW_HEIGHT = 28;
/** The mark of a row that left, and stays only because the pointer is on the table. */
const LEFT: Mark = { kind: 'leave', words: 'left', keys: [] };
/** The classes of cells with a style of their own. */
const CLASSES: Readonly<Partial<Record<ShownColumn['kind'], string>>> = {
  name: 'name',
  labels: 'labels-cell',
};

/** The rows of a set: kubectl's columns, and the labels. */
export function SetTable(props: SetTableProps) {
  const { kind, live, ordered, active, selected, isDimmed, isPointed, toggle, open, rest } = props;
  // A row is drawn again only if one of its properties changes, so these stay the same.
  const shown = useComputedOf([live.columns, kind], () => {
    const { namespace, columns: keys } = route.value;
    return shownColumns(live.columns.value, { isSpread: isSpread(kind, namespace), keys });
  });
  const template = useComputedOf([shown, live.rows], () => templateOf(shown.value, live.rows.value));
  const columns = shown.value;
  const { selector } = route.value;
  const first = useMemo(() => keysOf(selector), [selector]);
  const openAt = useCallback(
    (row: Row) => {
      active.value = keyOf(row);
      open(row);
    },
    [active, open],
  );
  const { rows, gone } = ordered.value;
  const activeAt = active.value === '' ? -1 : rows.findIndex((row) => keyOf(row) === active.value);
  const marks = live.marks.value;
  const chosen = selected.value;
  return (
    <div class={`set-rows ${isDimmed.value ? 'dimmed' : ''}`} style={{ '--columns': template.value }}>
      <VirtualRows
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        active={activeAt < 0 ? undefined : activeAt}
        label={kind.plural}
        onPointer={(isInside) => {
          isPointed.value = isInside;
          if (!isInside) rest?.(undefined);
        }}
        head={
          <Titles
            columns={columns}
            isAll={chosen.size > 0 && rows.every((row) => chosen.has(keyOf(row)))}
            toggleAll={props.toggleAll}
          />
        }
        row={(at) => {
          const row = rows[at];
          if (row === undefined) return null;
          const key = keyOf(row);
          return (
            <SetRow
              key={key}
              at={at}
              row={row}
              columns={columns}
              first={first}
              kindId={kind.id}
              mark={marks.get(key) ?? (gone.has(key) ? LEFT : undefined)}
              isActive={activeAt === at}
              isSelected={chosen.has(key)}
              toggle={toggle}
              open={openAt}
              {...(rest && { rest })}
            />
          );
        }}
      />
    </div>
  );
}

interface TitlesProps {
  readonly columns: readonly ShownColumn[];
  readonly isAll: boolean;
  readonly toggleAll: (() => void) | undefined;
}

function Titles({ columns, isAll, toggleAll }: TitlesProps) {
  const { sort } = route.value;
  const by = (title: string) => {
    const next = sort === title ? `-${title}` : sort === `-${title}` ? '' : title;
    navigate({ sort: next }, { replace: true });
  };
  return (
    <div class="row titles" role="row">
      <span class="select" role="columnheader">
        {toggleAll === undefined ? (
          <span class="visually-hidden">Selected</span>
        ) : (
          <input type="checkbox" checked={isAll} aria-label="Select all rows" onChange={toggleAll} />
        )}
      </span>
      {columns.map(({ title, kind }) => {
        const direction = sort === title ? 'ascending' : sort === `-${title}` ? 'descending' : 'none';
        return (
          <span key={title} role="columnheader" aria-sort={kind === 'labels' ? undefined : direction}>
            {kind === 'labels' ? (
              <span class="meta">{title}</span>
            ) : (
              <button type="button" onClick={() => by(title)}>
                {title}
                {direction === 'none' ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

interface SetRowProps {
  readonly at: number;
  readonly row: Row;
  readonly columns: readonly ShownColumn[];
  /** The keys of the selector, whose labels come first. */
  readonly first: readonly string[];
  readonly kindId: string;
  readonly mark: Mark | undefined;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly toggle: (row: Row) => void;
  readonly open: (row: Row) => void;
  /** Takes the row that the pointer is on, or nothing. */
  readonly rest?: (row: Row | undefined) => void;
}

function SetRow(props: SetRowProps) {
  const { at, row, columns, first, kindId, mark, isActive, isSelected, toggle, open, rest } = props;
  const { namespace = '', name, labels, creationTimestamp } = row.metadata;
  const classes = ['row', mark?.kind, isActive && 'active', isSelected && 'selected']
    .filter(Boolean)
    .join(' ');
  const opened = openText({ kind: kindId, namespace, name });
  return (
    <div
      class={classes}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isSelected}
      onPointerEnter={() => rest?.(row)}
      onClick={({ target }) => {
        const isControl = target instanceof Element && target.closest('a, input') !== null;
        if (!isControl && getSelection()?.isCollapsed !== false) open(row);
      }}
    >
      <span class="select" role="gridcell">
        <input
          type="checkbox"
          checked={isSelected}
          tabIndex={-1}
          aria-label={`Select ${name}`}
          onChange={() => toggle(row)}
        />
      </span>
      {columns.map((column) => (
        <span
          key={column.title}
          role="gridcell"
          class={CLASSES[column.kind]}
          title={textOf(column, row) || undefined}
        >
          {column.kind === 'name' ? (
            <a
              href={routeUrl({ ...route.value, open: opened })}
              tabIndex={-1}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                open(row);
              }}
            >
              {name}
            </a>
          ) : column.kind === 'age' ? (
            <Age since={creationTimestamp} />
          ) : column.kind === 'labels' ? (
            <>
              {mark !== undefined && <span class={`word ${mark.kind}`}>{mark.words}</span>}
              <Labels
                labels={labels}
                first={first}
                marked={mark?.keys ?? NO_KEYS}
                how={mark?.kind ?? 'change'}
              />
            </>
          ) : (
            textOf(column, row)
          )}
        </span>
      ))}
    </div>
  );
}

/** The keys with several wanted values come first: of the others, all rows have the same value. */
function keysOf(selector: string): string[] {
  const verdict = judge(selector);
  if (!('selector' in verdict)) return [];
  const { requirements } = verdict.selector;
  return requirements.filter(({ values }) => values.length !== 1).map(({ key }) => key);
}
