/** A selector that matches an object, with the object that holds the selector (its carrier). */
export interface Selection {
  readonly apiVersion: string;
  readonly kind: 'Selection';
  /** The name of the carrier. */
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
  /** The type of the carrier; empty if the server does not serve it any more. */
  readonly carrier: { readonly apiVersion?: string; readonly kind?: string };
  /** The path of the selector in the carrier: `spec.selector`. */
  readonly path: string;
  /** The label selector as text; empty if it matches every object. */
  readonly selector: string;
  readonly fieldSelector?: string;
  /** The label selector for the namespaces of the objects. */
  readonly namespaceSelector?: string;
}

/** The selectors that would match an object after a change: the answer to a review. */
export interface SelectionReview {
  /** The selectors that match after the change. Without a change, the selectors that match the object. */
  readonly selectedBy: readonly Selection[];
  /** The selectors that match only after the change. Missing without an object before or after. */
  readonly begins?: readonly Selection[];
  /** The selectors that match only before the change. Missing without an object before or after. */
  readonly stops?: readonly Selection[];
  /** Controllers that would all claim the object, although none of them created another. */
  readonly overlaps: readonly { readonly controllers: readonly Selection[] }[];
}

/** The numbers of objects by the values of one label. */
export interface Facet<Key extends string = string> {
  readonly key: Key;
  /** The number of different values. */
  readonly distinct: number;
  /** The number of objects without the label. */
  readonly absent: number;
  /** The 1,000 most frequent values, the most frequent one first. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** The numbers of objects of a set by the values of labels, all at one resourceVersion. */
export interface Facets<Keys extends readonly string[]> {
  readonly apiVersion: string;
  readonly kind: 'Facets';
  readonly metadata: { readonly resourceVersion: string };
  /** The number of objects in the set. */
  readonly count: number;
  /** One facet for each label, in the order of the question. */
  readonly facets: { readonly [At in keyof Keys]: Facet<Keys[At]> };
}
