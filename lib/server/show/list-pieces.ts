import type { JsonObject } from '../../json/index.ts';
import { type ListPage, toObject } from '../../store/index.ts';
import { encodeJson } from '../http/index.ts';
import type { Presenter } from './present.ts';

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
  const frame = encodeJson(present.list([], metadata), pretty);
  const middle = frame.lastIndexOf('[]') + 1;
  const before = pretty ? INDENTATION : '';
  let piece = frame.slice(0, middle);
  let separator = before;
  for await (const { items } of pages) {
    for (const state of items) {
      const text = encodeJson(present.member(toObject(state)), pretty);
      piece += separator + (pretty ? text.replaceAll('\n', INDENTATION) : text);
      separator = `,${before}`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${pretty ? '\n  ' : ''}${frame.slice(middle)}\n`;
}
