import { type Piece, pieces } from './pieces.ts';

/** The word at the cursor, and what may stand in its place. */
export interface Completion {
  readonly place: 'key' | 'operator' | 'value';
  /** The key before an operator or a value. */
  readonly key: string;
  /** The beginning of the word, up to the cursor. */
  readonly prefix: string;
  /** The part of the text that a choice replaces, in characters. */
  readonly from: number;
  readonly to: number;
  /** The requirements before the one at the cursor, without the comma. */
  readonly others: string;
}

/** A word to choose, with the number of objects that have it. */
export interface Choice {
  readonly text: string;
  readonly count?: number;
}

/** Finds out what can be completed at the cursor. */
export function completionAt(text: string, cursor: number): Completion {
  const before = pieces(text.slice(0, cursor));
  const last = before.at(-1);
  const isWord = last !== undefined && (last.kind === 'key' || last.kind === 'value');
  const from = isWord ? last.at : cursor;
  const rest = /^[^\s=<>!(),]*/.exec(text.slice(cursor))?.[0] ?? '';
  const prefix = isWord ? last.text : '';
  const place = isWord ? (last.kind as 'key' | 'value') : placeAfter(before);
  // `in` may be unfinished: "tier no" is on the way to "tier notin".
  const isOperator = place === 'value' && isWord && operatorBefore(before.slice(0, -1)) === undefined;
  return {
    place: isOperator ? 'operator' : place,
    key: keyBefore(before, place),
    prefix,
    from,
    to: cursor + rest.length,
    others: requirementsBefore(text, before, place),
  };
}

/** Replaces the word at the cursor by a choice. Returns the text and the new place of the cursor. */
export function complete(
  text: string,
  { from, to }: Completion,
  choice: string,
): { readonly text: string; readonly cursor: number } {
  return { text: `${text.slice(0, from)}${choice}${text.slice(to)}`, cursor: from + choice.length };
}

function placeAfter(before: readonly Piece[]): Completion['place'] {
  const last = before.findLast(({ kind }) => kind !== 'space');
  if (last === undefined || last.text === '!') return 'key';
  if (last.kind === 'key') return 'operator';
  if (last.kind === 'operator') return 'value';
  if (last.text === '(') return 'value';
  if (last.text === ',') return isInside(before) ? 'value' : 'key';
  return 'operator';
}

function isInside(before: readonly Piece[]): boolean {
  return before.findLast(({ text }) => text === '(' || text === ')')?.text === '(';
}

function keyBefore(before: readonly Piece[], place: Completion['place']): string {
  if (place === 'key') return '';
  return before.findLast(({ kind }) => kind === 'key')?.text ?? '';
}

function requirementsBefore(text: string, before: readonly Piece[], place: Completion['place']): string {
  const isAtKey = place === 'key' && before.at(-1)?.kind !== 'key';
  const key = before.findLast(({ kind }) => kind === 'key');
  const end = isAtKey ? text.length : (key?.at ?? 0);
  return text.slice(0, end).replace(/[\s,!]+$/, '');
}

/** The operator between the newest key and the end. */
function operatorBefore(before: readonly Piece[]): string | undefined {
  const key = before.findLastIndex(({ kind }) => kind === 'key');
  return before.slice(key + 1).find(({ kind }) => kind === 'operator')?.text;
}
