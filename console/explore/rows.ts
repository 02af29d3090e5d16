import type { Row } from '../api/index.ts';

/** What happened to a row a moment ago. */
export interface Mark {
  readonly kind: 'enter' | 'change' | 'leave';
  /** `tier: web → db`, `deleted`. */
  readonly words: string;
  /** The labels that changed. */
  readonly keys: readonly string[];
}

/** The key of a row: its uid would not tell that an object was replaced by one of the same name. */
export function keyOf({ metadata: { namespace = '', name } }: Row): string {
  return `${namespace}/${name}`;
}

/** The order of lists: by namespace, then by name. */
export function compareRows({ metadata: one }: Row, { metadata: other }: Row): number {
  const [inside, beside] = [one.namespace ?? '', other.namespace ?? ''];
  if (inside !== beside) return inside < beside ? -1 : 1;
  return one.name < other.name ? -1 : one.name === other.name ? 0 : 1;
}
