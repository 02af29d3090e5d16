/** Returns a hash of a text, 32 bits (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mixes two hashes into 32 bits that depend on each bit of both. */
export function mixHashes(one: number, other: number): number {
  let mixed = Math.imul(one ^ (other >>> 15), 0x2c1b3c6d) ^ other;
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
