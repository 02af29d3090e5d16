import { labelKeyErrors, labelValueErrors } from '../../lib/selectors/index.ts';

export type Labels = Readonly<Record<string, string>>;

/** New values of labels. `null` removes a label. This is also the JSON merge patch of the labels. */
export type LabelChange = Readonly<Record<string, string | null>>;

/** One line of the form in which the user changes labels. */
export interface ChangeLine {
  readonly action: 'set' | 'remove';
  readonly key: string;
  /** Empty for `remove`. */
  readonly value: string;
}

export const EMPTY_LINE: ChangeLine = { action: 'set', key: '', value: '' };

/** Returns what is wrong with a line, as a sentence; empty for a valid line, and for one that the user has not begun. */
export function lineError(line: ChangeLine, lines: readonly ChangeLine[]): string {
  const { action, key, value } = line;
  if (key === '' && value === '') return '';
  const [wrongKey] = labelKeyErrors(key);
  if (wrongKey !== undefined) return `Key "${key}": ${wrongKey}`;
  const [wrongValue] = action === 'set' ? labelValueErrors(value) : [];
  if (wrongValue !== undefined) return `Value "${value}": ${wrongValue}`;
  const isTwice = lines.some((other) => other !== line && other.key === key);
  return isTwice ? `Two lines change the label "${key}". Remove one of them.` : '';
}

/** Returns the change of all lines; undefined if a line is wrong, or if no line has a key. */
export function changeOf(lines: readonly ChangeLine[]): LabelChange | undefined {
  const used = lines.filter(({ key }) => key !== '');
  if (used.length === 0 || lines.some((line) => lineError(line, lines) !== '')) return undefined;
  return Object.fromEntries(used.map(({ action, key, value }) => [key, action === 'set' ? value : null]));
}

/** Returns the labels after a change. */
export function changed(labels: Labels = {}, change: LabelChange): Labels {
  const all = Object.entries({ ...labels, ...change });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Returns the change from some labels to others; empty if they are equal. */
export function changeBetween(before: Labels = {}, after: Labels = {}): LabelChange {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const different = keys.filter((key) => before[key] !== after[key]);
  return Object.fromEntries(different.map((key) => [key, after[key] ?? null]));
}

export const isEmptyChange = (change: LabelChange): boolean => Object.keys(change).length === 0;
