import { structuredPatch } from 'diff';
import type { KubeObject } from '../what-if/index.ts';
import { yamlOf } from '../yaml/index.ts';
import { comparable } from './yaml-text.ts';

/** A line of a difference. `gap` stands for lines that both sides have and that are left out. */
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
  return hunks.flatMap(({ lines }, index) => [
    ...(index > 0 ? [{ how: 'gap' as const, text: '⋯' }] : []),
    ...lines.flatMap((line): DifferenceLine[] => {
      const how = SIGNS[line[0] as keyof typeof SIGNS];
      return how === undefined ? [] : [{ how, text: line.slice(1) }];
    }),
  ]);
}

function textOf(state: KubeObject | undefined): string {
  return state === undefined ? '' : yamlOf(comparable(state), { sorted: true });
}
