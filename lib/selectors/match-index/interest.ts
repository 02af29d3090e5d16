import type { InternedLabels } from '../compiled/index.ts';
import type { FieldSelector } from '../field-selector.ts';
import type { LabelSet } from '../labels.ts';
import type { Selector } from '../selector.ts';

/** The interest of one subscription: all parts must match. */
export interface Interest {
  readonly selector: Selector;
  /** Only objects of this namespace match; absent means every namespace. `''` is cluster scope. */
  readonly namespace?: string;
  /** Only objects of one of these namespaces match; an empty list matches nothing. */
  readonly namespaces?: readonly string[];
  readonly fields?: FieldSelector;
}

/** The state of an object before or after an event. It must not change while the index reads it. */
export interface MatchState {
  /** A record, a Map, or labels interned by the index's vocabulary. */
  readonly labels: LabelSet | InternedLabels;
  /** Absent counts as `''`. */
  readonly namespace?: string;
  /**
   * Returns the value of a selectable field. Called only for fields that a subscription uses; absent counts as `''`.
   */
  readonly readField?: (field: string) => string | undefined;
}

/**
 * The effect of an event on a subscription: the object began to match (`entered`), matched before and after
 * (`changed`), or ceased to match (`left`).
 */
export type Transition = 'entered' | 'changed' | 'left';
