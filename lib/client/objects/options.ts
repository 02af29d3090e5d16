import type { AnyKind } from './kind.ts';
import type { FieldSelector } from './selector.ts';
import type { Shape } from './shape.ts';
import type { MergePatch, New, Stored } from './stored-object.ts';

/**
 * The object that a request is about: its name, or its name with its namespace. The `metadata` of a stored object is one
 * too. With a `uid`, a write changes only this object and no successor of the same name.
 */
export type Target =
  | string
  | { readonly name: string; readonly namespace?: string | undefined; readonly uid?: string | undefined };

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The options that choose objects, beside the label selector, and their form. */
export interface SelectOptions<Selectable extends string, Body = unknown, As extends Shape = 'object'> {
  /** Values that selectable fields must have: `{ 'spec.state': 'active' }`. */
  readonly fields?: FieldSelector<Selectable, Body> | undefined;
  /** `object` by default. `metadata` and `table` are smaller answers: a `table` has `cells` instead of a body. */
  readonly shape?: As | undefined;
}

export interface ListOptions<Selectable extends string, Body = unknown, As extends Shape = 'object'>
  extends RequestOptions,
    SelectOptions<Selectable, Body, As> {
  /** The number of objects in one answer; 500 by default. */
  readonly pageSize?: number | undefined;
}

export interface WatchOptions<Selectable extends string, Body = unknown, As extends Shape = 'object'>
  extends RequestOptions,
    SelectOptions<Selectable, Body, As> {
  /** The state that the watch begins after. Without it, the watch first adds every object that there is. */
  readonly resourceVersion?: string | undefined;
  /** The time after which the server ends the watch. */
  readonly timeoutSeconds?: number | undefined;
  /** The longest time without a byte, in ms; 90,000 by default. After it the connection counts as lost. */
  readonly silence?: number | undefined;
  /** Called when the answer begins. */
  readonly opened?: (() => void) | undefined;
  /** Called for each piece of the answer, also for one without an event. */
  readonly heard?: (() => void) | undefined;
}

export interface HoldOptions {
  /** The most objects to hold in memory; 10,000 by default. Of a larger set the first ones in order are held. */
  readonly most?: number | undefined;
  /**
   * Whether the objects of the first list are held page by page, before `ready` resolves. Without it, no object is held
   * before the set is complete.
   */
  readonly early?: boolean | undefined;
  /**
   * Decides when listeners run: it calls its argument later. The default is `queueMicrotask`; a page passes
   * `requestAnimationFrame`.
   */
  readonly schedule?: ((run: () => void) => unknown) | undefined;
  /** Stops the set. */
  readonly signal?: AbortSignal | undefined;
}

export interface LiveOptions<Selectable extends string, Body = unknown, As extends Shape = 'object'>
  extends HoldOptions,
    SelectOptions<Selectable, Body, As> {}

/** A set that {@link Objects.live} would follow: equal questions have the same connection and equal texts. */
export interface Question {
  readonly connection: object;
  readonly text: string;
}

export interface FacetOptions<Selectable extends string, Body = unknown> extends RequestOptions {
  readonly fields?: FieldSelector<Selectable, Body> | undefined;
}

export interface SelectedOptions<Of extends AnyKind> extends RequestOptions {
  /** The kind of the selected objects, which gives them types. If they are of another kind, the list throws. */
  readonly of?: Of | undefined;
  /** Names another selector of the object than its first, such as `spec.ingress[0].from[0].podSelector`. */
  readonly path?: string | undefined;
  /** Selects among the selected objects. */
  readonly fields?: FieldSelector<string> | undefined;
  readonly pageSize?: number | undefined;
}

export interface ApplyOptions extends RequestOptions {
  /** Takes over fields that other managers own. Without it, the apply throws a ConflictError. */
  readonly force?: boolean | undefined;
  /** Whether the server only checks the request, and stores nothing. */
  readonly dryRun?: boolean | undefined;
  /** Called with the warnings of the server, if it has any. */
  readonly warned?: ((warnings: readonly string[]) => void) | undefined;
}

export interface DeleteOptions extends RequestOptions {
  /** What happens to the objects that this object owns; `Background` by default. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

/** A change of an object as a JSON merge patch. */
export type Patch<Input> = {
  readonly metadata?: {
    readonly resourceVersion?: string | undefined;
    readonly labels?: Readonly<Record<string, string | null>> | undefined;
    readonly annotations?: Readonly<Record<string, string | null>> | undefined;
    readonly finalizers?: readonly string[] | undefined;
  };
} & MergePatch<Input>;

/** A function that changes an object in place, or returns another one. */
export type Change<Body> =
  | ((object: Stored<Body>) => Stored<Body> | Promise<Stored<Body>>)
  | ((object: Stored<Body>) => void | Promise<void>);

/**
 * An object before and after a change, for a review: the stored object of a name, or a given one, with other labels or
 * as another object. Without a change, the review is about the object itself.
 */
export type ReviewedChange<Body, Input> = {
  /** The namespace of the object; that of the collection by default. */
  readonly namespace?: string | undefined;
} & (
  | { readonly name: string; readonly before?: undefined }
  | { readonly name?: undefined; readonly before?: Stored<Body> | New<Input> | undefined }
) &
  (
    | { readonly labels?: Readonly<Record<string, string>> | undefined; readonly after?: undefined }
    | { readonly labels?: undefined; readonly after: Stored<Body> | New<Input> }
  );
