import type { JsonObject } from '../../json/index.ts';
import { type ListPage, type ObjectState, toObject } from '../../store/index.ts';
import { encodeJson } from '../http/index.ts';
import type { Presenter } from './present.ts';
import { storedJson } from './stored-json.ts';

/** The number of characters that one piece of the answer gathers. */
const PIECE = 64 * 1024;
/** The text before each member of an indented list. */
const INDENTATION = '\n    ';

export interface ListOfPages {
  readonly present: Presenter;
  /** The metadata of the list. */
  readonly metadata: JsonObject;
  /** The pages of the list, at least one. */
  readonly pages: AsyncIterable<ListPage>;
  readonly pretty: boolean;
}

/**
 * The text of a list, of which only one page is in memory at a time. If it breaks off, it is not valid JSON, so clients
 * cannot mistake it for a shorter list.
 */
export async function* listPieces({ present, metadata, pages, pretty }: ListOfPages): AsyncGenerator<string> {
  const [begin, end] = frameOf(present, metadata, pretty);
  const before = pretty ? INDENTATION : '';
  let piece = begin;
  let separator = before;
  for await (const { items } of pages) {
    for (const state of items) {
      const text = pretty
        ? encodeJson(present.member(toObject(state)), pretty).replaceAll('\n', INDENTATION)
        : memberText(present, state);
      piece += separator + text;
      separator = `,${before}`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${pretty ? '\n  ' : ''}${end}\n`;
}

/** The JSON of a list that is in memory. */
export function listText(present: Presenter, metadata: JsonObject, items: readonly ObjectState[]): string {
  const [begin, end] = frameOf(present, metadata, false);
  let text = begin;
  let separator = '';
  for (const state of items) {
    text += separator + memberText(present, state);
    separator = ',';
  }
  return text + end;
}

function memberText(present: Presenter, state: ObjectState): string {
  const stored = present.members && storedJson(state, present.members);
  return stored ?? encodeJson(present.member(toObject(state)), false);
}

/** The JSON of a list before its first member and after its last one. */
function frameOf(present: Presenter, metadata: JsonObject, pretty: boolean): [string, string] {
  const frame = encodeJson(present.list([], metadata), pretty);
  const middle = frame.lastIndexOf('[]') + 1;
  return [frame.slice(0, middle), frame.slice(middle)];
}
