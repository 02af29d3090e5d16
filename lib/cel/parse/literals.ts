import type { Constant } from '../ast.ts';
import type { Token } from './lexer.ts';
import { bytesValue, stringValue, UnescapeError } from './unescape.ts';

const INT = { low: -(2n ** 63n), high: 2n ** 63n - 1n };
const HIGHEST_UINT = 2n ** 64n - 1n;

/** Returns the constant of a literal, or the message of its fault. `sign` is `-` or empty. */
export function literalOf({ kind, text }: Token, sign: string): Constant | string {
  switch (kind) {
    case 'int': {
      const value = sign === '-' ? -BigInt(text) : BigInt(text);
      return value < INT.low || value > INT.high ? 'invalid int literal' : { type: 'int', value };
    }
    case 'uint': {
      const value = BigInt(text.slice(0, -1));
      return value > HIGHEST_UINT ? 'invalid uint literal' : { type: 'uint', value };
    }
    case 'double': {
      const value = Number(sign + text);
      return Number.isFinite(value) ? { type: 'double', value } : 'invalid double literal';
    }
    case 'string':
      return unescaped(() => ({ type: 'string', value: stringValue(text) }));
    case 'bytes':
      return unescaped(() => ({ type: 'bytes', value: bytesValue(text) }));
    default:
      return text === 'null' ? { type: 'null' } : { type: 'bool', value: text === 'true' };
  }
}

function unescaped(constant: () => Constant): Constant | string {
  try {
    return constant();
  } catch (error) {
    if (error instanceof UnescapeError) return error.message;
    throw error;
  }
}
