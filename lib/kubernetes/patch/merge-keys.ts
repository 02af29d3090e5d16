import type { Message } from '../fields/index.ts';

/** How the content of one object merges. */
export interface MergeRules {
  /** Rules for the object in `field`; undefined if it is replaced as a whole. */
  object(field: string): MergeRules | undefined;
  /** How the list in `field` merges; undefined if it is atomic, that is replaced as a whole. */
  list(field: string): ListRule | undefined;
}

export interface ListRule {
  /** Undefined for a set of primitives. */
  readonly mergeKey: string | undefined;
  readonly element: MergeRules;
}

/**
 * Which lists of a type a strategic merge patch merges, and by which key: what the `patchStrategy` and
 * `patchMergeKey` tags of Kubernetes' Go types say. That a field is tagged `retainKeys` tells a client when to send
 * `$retainKeys`, which is obeyed wherever it stands.
 *
 * @param type undefined for what is not known, where nothing but objects merges
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
