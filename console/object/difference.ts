import { structuredPatch } from 'diff';
import type { KubeObject } from '../what-if/index.ts';
import { yamlOf } from '../yaml/index.ts';
import { comparable } from './yaml-text.ts';

/** A line of a difference. The text of a `gap` counts the lines that both sides have and that are left out. */
export interface DifferenceLine {
  readonly how: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
}

/** The unchanged lines that stand around a change. */
const CONTEXT = 3;
const SIGNS = { '+': 'added', '-': 'removed', ' ': 'same' } as const;

/** The difference of two states in YAML, by lines; empty if they differ at most in fields that each write changes. */
export function differenceOf(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): readonly DifferenceLine[] {
  const [old, now] = [textOf(before), textOf(after)];
  const { hunks } = structuredPatch('', '', old, now, '', '', { context: CONTEXT });
  // The old lines before a hunk that no earlier hunk has are unchanged.
  let seen = 0;
  const gapTo = (line: number): readonly DifferenceLine[] => {
    const left = line - seen;
    seen = line;
    return left > 0 ? [{ how: 'gap', text: `… ${left} unchanged line${left === 1 ? '' : 's'}` }] : [];
  };
  const shown = hunks.flatMap(({ oldStart, oldLines, lines }) => {
    const gap = gapTo(Math.max(0, oldStart - 1));
    seen += oldLines;
    return [
      ...gap,
      ...lines.flatMap((line): DifferenceLine[] => {
        const how = SIGNS[line[0] as keyof typeof SIGNS];
        return how === undefined ? [] : [{ how, text: line.slice(1) }];
      }),
    ];
  });
  return shown.length === 0 ? [] : [...shown, ...gapTo(old.split('\n').length - 1)];
}

function textOf(state: KubeObject | undefined): string {
  return state === undefined ? '' : yamlOf(comparable(state), { sorted: true });
}
