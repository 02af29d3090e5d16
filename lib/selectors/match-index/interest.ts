import type { InternedLabels } from '../compiled/index.ts';
import type { FieldSelector } from '../field-selector.ts';
import type { LabelSet } from '../labels.ts';
import type { Selector } from '../selector.ts';

/** What one subscription asks for: all of it at once. */
export interface Interest {
  readonly selector: Selector;
  /** Objects of this namespace only; absent means every namespace. `''` is cluster scope. */
  readonly namespace?: string;
  /** The same of several: objects of one of these, and none where there are none. */
  readonly namespaces?: readonly string[];
  readonly fields?: FieldSelector;
}

/** An object as it was or is. Never changed while the index looks at it. */
export interface MatchState {
  /** A record, a Map, or labels interned by the vocabulary that the index was made with. */
  readonly labels: LabelSet | InternedLabels;
  /** Absent reads as `''`. */
  readonly namespace?: string;
  /** The value of a selectable field. Asked only for fields that a subscription names; absent reads as `''`. */
  readonly readField?: (field: string) => string | undefined;
}

/**
 * What an event means to a subscription: the object began to match (`entered`), matched before and after
 * (`changed`), or ceased to match (`left`).
 */
export type Transition = 'entered' | 'changed' | 'left';
