import type { JsonObject } from '../../json/index.ts';
import type { Errors } from './errors.ts';

export type Rule = (body: JsonObject, old?: JsonObject) => Errors;

export type Change = (body: JsonObject, old: JsonObject) => Errors;

/** What Kubernetes asks of one kind beside its metadata. */
export interface KindRules {
  /** Of an object, whether it is new or not. */
  readonly content: Rule;
  /** Of a new object, where that is more. */
  readonly created?: Rule;
  /** Of a change; told before the content, or after it. */
  readonly changedFirst?: Change;
  readonly changed?: Change;
  /** Of a change through a subresource, instead. */
  readonly through?: Readonly<Record<string, Change>>;
  /** Of a change of the status alone. */
  readonly status?: Rule;
  /** Whether a change is asked again for what a new object's metadata is asked for. */
  readonly asNew?: boolean;
  /** Whether a new object's metadata is looked at only where nothing else is wrong. */
  readonly metadataLast?: boolean;
}
