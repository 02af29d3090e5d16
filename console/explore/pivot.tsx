import { ask, type KindInfo, pathOf, type Row } from '../api/index.ts';
import { navigate, type Route, route, routeUrl } from '../route/index.ts';
import { valueText, withRequirement } from '../selector/index.ts';
import { Empty, ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { byUse, type Cells, cellsOf, countLabels, countPairs, isTelling } from './count.ts';
import type { LiveTable } from './live-table.ts';
import type { Narrowed } from './narrowing.ts';

interface PivotProps {
  readonly kind: KindInfo;
  readonly live: LiveTable;
  readonly shown: Narrowed;
}

/** The most rows and columns of the table. */
const MOST = 60;

/** The number of objects by the values of two labels, as a heat map. Each number leads to its objects. */
export function Pivot({ kind, live, shown }: PivotProps) {
  const { rows, selector } = shown;
  const [down = '', across = ''] = axes(rows.value);
  if (down === '' || across === '') {
    return (
      <Empty title="A pivot needs two label keys with few values each.">
        <p>Press ⊞ beside two keys on the left: rows first, then columns. Or add keys with "+ key".</p>
      </Empty>
    );
  }
  if (live.complete.value) {
    const cells = countPairs(rows.value, [down, across]);
    return <PivotTable down={down} across={across} cells={cells} selector={selector.value} />;
  }
  return <ServerPivot kind={kind} down={down} across={across} />;
}

/** The keys of the address, completed by those that divide the set best. */
function axes(rows: readonly Row[]): readonly string[] {
  const { pivot } = route.value;
  if (pivot.length === 2) return pivot;
  const counts = byUse(countLabels(rows)).filter(
    (one) => isTelling(one) && one.distinct > 1 && one.distinct <= MOST && !pivot.includes(one.key),
  );
  return [...pivot, ...counts.map(({ key }) => key)].slice(0, 2);
}

/** Of a set that is not all here, the server counts the combinations. */
function ServerPivot({
  kind,
  down,
  across,
}: {
  readonly kind: KindInfo;
  readonly down: string;
  readonly across: string;
}) {
  const { namespace, selector, fields, as, groups } = route.value;
  const key = JSON.stringify([kind.id, namespace, selector, fields, as, groups, down, across]);
  const { answer, error, again } = useAsked(key, (signal) => {
    const query = {
      facets: `${down},${across}`,
      joint: 'true',
      labelSelector: selector,
      fieldSelector: fields,
    };
    return ask<JointAnswer>(pathOf(kind, namespace), { query, signal });
  });
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (answer === undefined) return <Waiting what="Counting" />;
  const counts = answer.joint.cells.map(({ values: [row = null, column = null], count }) => ({
    row,
    column,
    count,
  }));
  return <PivotTable down={down} across={across} cells={cellsOf(counts)} selector={selector} />;
}

interface JointAnswer {
  readonly joint: {
    readonly cells: readonly { readonly values: readonly (string | null)[]; readonly count: number }[];
  };
}

interface PivotTableProps {
  readonly down: string;
  readonly across: string;
  readonly cells: Cells;
  /** The selector of the counted objects. */
  readonly selector: string;
}

function PivotTable({ down, across, cells, selector }: PivotTableProps) {
  const rows = cells.rows.slice(0, MOST);
  const columns = cells.columns.slice(0, MOST);
  const left = cells.rows.length - rows.length + (cells.columns.length - columns.length);
  return (
    <div class="pivot">
      <table>
        <caption class="visually-hidden">
          Number of objects by {down} and {across}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              {down} ↓ {across} →{' '}
              <button
                type="button"
                class="icon"
                aria-label="Swap rows and columns"
                onClick={() => navigate({ pivot: [across, down] })}
              >
                ⇄
              </button>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" class="number">
                {valueText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row" class="mono">
                {valueText(row)}
              </th>
              {columns.map((column) => (
                <td key={column}>
                  <Cell
                    count={cells.count(row, column)}
                    most={cells.most}
                    selector={narrowed(narrowed(selector, down, row), across, column)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p class="meta">{left} less frequent values are not shown.</p>}
    </div>
  );
}

interface CellProps {
  readonly count: number;
  readonly most: number;
  /** The selector of the cell's objects. */
  readonly selector: string;
}

function Cell({ count, most, selector }: CellProps) {
  if (count === 0) return <span class="meta">·</span>;
  const heat = Math.max(1, Math.ceil((count / most) * 5));
  const target: Partial<Route> = { mode: 'table', selector };
  return (
    <a
      class={`heat-${heat}`}
      href={routeUrl({ ...route.value, ...target })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(target);
      }}
    >
      {count.toLocaleString('en')}
    </a>
  );
}

/** Narrows a selector to one value of a label. The value may be one of several that the selector names. */
function narrowed(selector: string, key: string, value: string | null): string {
  if (value === null) return withRequirement(selector, { key, value, wanted: true });
  const others = selector === '' ? '' : `${selector},`;
  return `${others}${key}=${value}`;
}
