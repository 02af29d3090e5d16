/** What a part of a selector's text is. */
export type PieceKind = 'key' | 'operator' | 'value' | 'separator' | 'space';

/** A part of the text of a label selector. All pieces together are the text. */
export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
  /** The offset in the text, in characters. */
  readonly at: number;
}

const TOKEN = /\s+|==|!=|[=<>!(),]|[^\s=<>!(),]+/g;

/**
 * Splits a label selector into pieces, also one that is not finished. A word is a key at the beginning and after a comma
 * outside parentheses. It is the operator `in` or `notin` after a key, and else a value.
 */
export function pieces(text: string): Piece[] {
  let depth = 0;
  let place: 'key' | 'operator' | 'value' = 'key';
  return Array.from(text.matchAll(TOKEN), ({ 0: token, index: at }) => {
    const piece = (kind: PieceKind): Piece => ({ kind, text: token, at });
    if (/^\s/.test(token)) return piece('space');
    if (token === '(' || token === ')') {
      depth = token === '(' ? depth + 1 : Math.max(0, depth - 1);
      place = token === '(' ? 'value' : 'operator';
      return piece('separator');
    }
    if (token === ',') {
      if (depth === 0) place = 'key';
      return piece('separator');
    }
    if (/^[=<>!]/.test(token)) {
      if (token !== '!' || place !== 'key') place = 'value';
      return piece('operator');
    }
    if (place === 'key') {
      place = 'operator';
      return piece('key');
    }
    if (place === 'operator' && (token === 'in' || token === 'notin')) {
      place = 'value';
      return piece('operator');
    }
    return piece('value');
  });
}
