import type { Labels } from '../labels.ts';
import { ALWAYS, type Anchor, keyAnchor, pairAnchor } from './anchor.ts';

/** The index terms of an object with these labels: two for each label, and the one that all objects have. */
export function anchorsMet(labels: Labels): readonly Anchor[] {
  const met = Object.entries(labels).flatMap(([key, value]) => [pairAnchor(key, value), keyAnchor(key)]);
  return [...met, ALWAYS];
}
