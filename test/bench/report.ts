import type { Machine } from './machine.ts';

/** One line of the answer. `ours`, `theirs` and `ratio` are in the units that docs/benchmarks.md states. */
export type Line = { readonly bench: string } & Readonly<Record<string, string | number | boolean>>;

/** Where the answer goes: tables to a reader, or lines of JSON to a program. Progress goes to standard error. */
export class Report {
  readonly #json: boolean;
  readonly #lines: Line[] = [];

  constructor(json: boolean) {
    this.#json = json;
  }

  machine(machine: Machine): void {
    if (this.#json) {
      console.log(JSON.stringify({ bench: 'machine', ...machine }));
    } else {
      console.log(
        Object.entries(machine)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
      );
    }
  }

  add(line: Line): void {
    this.#lines.push(line);
    if (this.#json) console.log(JSON.stringify(line));
  }

  /** What cannot be compared, and why. */
  missing(bench: string, peer: string, reason: string): void {
    this.progress(`${peer} is missing: ${reason}`);
    this.add({ bench, peer, missing: reason });
  }

  progress(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** A table for each kind of line, in the order the kinds first came. */
  finish(): void {
    if (this.#json) return;
    const kinds = Map.groupBy(this.#lines, (line) => `${line.bench}${'missing' in line ? ', missing' : ''}`);
    for (const [kind, lines] of kinds) {
      console.log(`\n${kind}`);
      printTable(lines.map(({ bench: _kind, ...cells }) => cells));
    }
  }
}

function printTable(rows: readonly Readonly<Record<string, string | number | boolean>>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => toCell(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  for (const row of cells) console.log(row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '));
}

function toCell(value: string | number | boolean | undefined): string {
  if (typeof value === 'number') {
    return value.toLocaleString('en', {
      maximumSignificantDigits: value < 1000 ? 3 : 15,
      maximumFractionDigits: value < 1000 ? 3 : 0,
    });
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value ?? '';
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The least value that so large a part of the values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

/** To four significant digits: the rest is noise. */
export function round(value: number): number {
  return Number(value.toPrecision(4));
}
