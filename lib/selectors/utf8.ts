/**
 * The length of a string in UTF-8 bytes. Kubernetes counts and orders strings by UTF-8 bytes, and JavaScript strings
 * are UTF-16. This function and `compareUtf8` give the UTF-8 result without encoding. A lone surrogate counts as
 * U+FFFD.
 */

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800 || isSurrogatePair(text, at)) {
      bytes += 1;
    } else {
      bytes += 2;
    }
    if (isSurrogatePair(text, at)) {
      bytes += 1;
      at++;
    }
  }
  return bytes;
}

/** Compares strings for `Array.sort` in UTF-8 byte order, which is code point order. */
export function compareUtf8(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

function isSurrogatePair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** The rank of a code unit. Surrogates stand for code points above U+FFFF, so they rank after every other unit. */
function codePointRank(unit: number): number {
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}
