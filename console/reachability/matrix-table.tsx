import { useRef } from 'preact/hooks';
import { navigate } from '../route/index.ts';
import { type Answers, cellOf, type Pair, type Verdict } from './matrix.ts';
import type { PodGroup } from './pod-groups.ts';

interface MatrixTableProps {
  readonly groups: readonly PodGroup[];
  /** The pairs that decide each cell, by row and column. */
  readonly pairs: readonly (readonly (readonly Pair[])[])[];
  /** The pairs of each cell, also those about which the page does not ask. */
  readonly all: readonly (readonly (readonly Pair[])[])[];
  readonly answers: Answers;
  readonly label: string;
  /** The row and the column of the chosen cell. */
  readonly chosen: readonly [number, number];
}

const TONES: Readonly<Record<Verdict, string>> = {
  yes: 'enter',
  no: 'leave',
  partly: 'change',
  unclear: 'muted',
  part: 'change',
  failed: 'leave',
  asking: 'muted',
};
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The matrix. Rows send, columns receive. The arrow keys move in it, and Enter explains a cell. */
export function MatrixTable({ groups, pairs, all, answers, label, chosen }: MatrixTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const pressed = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const place = (event.target as HTMLElement).dataset.place?.split(',').map(Number);
    if (step === undefined || place === undefined) return;
    const [row = 0, column = 0] = place;
    const next = `${row + step[0]},${column + step[1]}`;
    event.preventDefault();
    body.current?.querySelector<HTMLButtonElement>(`[data-place="${next}"]`)?.focus();
  };
  const first = chosen[0] === -1 || chosen[1] === -1 ? [0, 0] : chosen;
  return (
    <div class="matrix-scroll">
      <table class="matrix">
        <caption class="visually-hidden">Which group of pods may send to which, by the label {label}</caption>
        <thead>
          <tr>
            <th class="corner">
              <span class="meta">from ↓ to →</span>
            </th>
            {groups.map(({ name }) => (
              <th key={name} scope="col" title={name}>
                <span class="clip">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={pressed}>
          {groups.map((from, row) => (
            <tr key={from.name}>
              <th scope="row" title={from.name}>
                <span class="clip">{from.name}</span>
                <span class="meta">{from.count}</span>
              </th>
              {groups.map((to, column) => {
                const { verdict, policy } = cellOf(
                  pairs[row]?.[column] ?? [],
                  answers,
                  all[row]?.[column]?.length,
                );
                return (
                  <td key={to.name}>
                    <button
                      type="button"
                      class={`cell ${TONES[verdict]}`}
                      data-place={`${row},${column}`}
                      aria-pressed={row === chosen[0] && column === chosen[1]}
                      tabIndex={row === first[0] && column === first[1] ? 0 : -1}
                      title={`${from.name} → ${to.name}: ${verdict}${policy === '' ? '' : `, ${policy}`}`}
                      onClick={() => navigate({ pivot: [from.name, to.name] }, { replace: true })}
                    >
                      <span>{verdict === 'asking' ? '…' : verdict}</span>
                      <span class="cell-policy">{policy}</span>
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
