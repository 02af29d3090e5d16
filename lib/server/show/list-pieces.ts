import type { JsonObject } from '../../json/index.ts';
import { type ListPage, toObject } from '../../store/index.ts';
import { encodeJson } from '../http/index.ts';
import type { Presenter } from './present.ts';

/** Characters that are gathered before they go out together. */
const PIECE = 64 * 1024;
/** Before a member, where the list is indented. */
const INDENTATION = '\n    ';

export interface ListOfPages {
  readonly present: Presenter;
  /** The list's own. */
  readonly metadata: JsonObject;
  /** Not empty. */
  readonly pages: AsyncIterable<ListPage>;
  readonly pretty: boolean;
}

/**
 * The text of a list whose objects are never all there at one time. Where it breaks off it is no JSON, so nobody takes
 * it for a shorter list.
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
