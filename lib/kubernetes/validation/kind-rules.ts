import type { JsonObject } from '../../json/index.ts';
import type { Errors } from './errors.ts';

export type Rule = (body: JsonObject, old?: JsonObject) => Errors;

export type Change = (body: JsonObject, old: JsonObject) => Errors;

/** Kubernetes' rules for one kind, apart from its metadata. */
export interface KindRules {
  /** Checks new and changed objects. */
  readonly content: Rule;
  /** Checks new objects instead of `content`, if they have more rules. */
  readonly created?: Rule;
  /** Check a change: `changedFirst` before the content, `changed` after it. */
  readonly changedFirst?: Change;
  readonly changed?: Change;
  /** Checks a change through a subresource, instead of `changed`. */
  readonly through?: Readonly<Record<string, Change>>;
  /** Checks a change of the status only. */
  readonly status?: Rule;
  /** Whether a change is also checked with the metadata rules of a new object. */
  readonly asNew?: boolean;
  /** Whether a new object's metadata is checked only if there are no other errors. */
  readonly metadataLast?: boolean;
}
