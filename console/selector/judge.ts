import { parseSelector, type Selector } from '../../lib/selectors/index.ts';
import { pieces } from './pieces.ts';

/** A selector, or what is wrong with its text. */
export type Verdict =
  | { readonly selector: Selector }
  | {
      /** Kubernetes' sentence. */
      readonly message: string;
      /** The wrong part of the text, in characters. At the end of the text it is empty. */
      readonly from: number;
      readonly to: number;
    };

/** Parses a label selector. Of a wrong one it finds the part at which Kubernetes stops reading. */
export function judge(text: string): Verdict {
  const message = refusalOf(text);
  if (message === undefined) return { selector: parseSelector(text) };
  // The wrong piece is the last one of the shortest beginning that gets the same refusal.
  const parts = pieces(text).filter(({ kind }) => kind !== 'space');
  const wrong = parts.find(({ at, text: part }) => refusalOf(text.slice(0, at + part.length)) === message);
  if (wrong === undefined) return { message, from: text.length, to: text.length };
  return { message, from: wrong.at, to: wrong.at + wrong.text.length };
}

function refusalOf(text: string): string | undefined {
  try {
    parseSelector(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
