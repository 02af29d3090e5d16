import type { Message } from '../fields/index.ts';

/** The rules for merging the content of one object. */
export interface MergeRules {
  /** Returns the rules of the object in `field`; undefined if the object is replaced as a whole. */
  object(field: string): MergeRules | undefined;
  /** Returns the rule of the list in `field`; undefined if the list is atomic and is replaced as a whole. */
  list(field: string): ListRule | undefined;
}

export interface ListRule {
  /** Undefined for a set of primitives. */
  readonly mergeKey: string | undefined;
  readonly element: MergeRules;
}

/**
 * Returns which lists of a type a strategic merge patch merges, and by which key. The rules come from the
 * `patchStrategy` and `patchMergeKey` tags of Kubernetes' Go types. The `retainKeys` tag only tells clients when to
 * send `$retainKeys`, which is obeyed everywhere.
 *
 * @param type undefined if the type is unknown; then only objects merge
 */
export function mergeRules(type: Message | undefined): MergeRules {
  const fieldNamed = (name: string) => type?.fields.get(name);
  return {
    object(name) {
      const field = fieldNamed(name);
      if (field?.merge?.replaced === true) return undefined;
      return mergeRules(field?.container === '' ? field.message : undefined);
    },
    list(name) {
      const field = fieldNamed(name);
      const key = field?.merge?.key;
      if (key === undefined) return undefined;
      return { mergeKey: key === '' ? undefined : key, element: mergeRules(field?.message) };
    },
  };
}
