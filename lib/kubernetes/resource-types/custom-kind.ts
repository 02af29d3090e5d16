import type { JsonObject } from '../../json/index.ts';

/** The annotation on a CustomResourceDefinition that lists the selector fields of its objects and their targets. */
export const SELECTS = 'winnow.dev/selects';

/**
 * One version of a type that a CustomResourceDefinition defines: the schema of its objects and how they are stored.
 */
export interface CustomKind {
  /** The definition's uid. A kind that is recreated with the same names has another uid. */
  readonly uid: string;
  /** The definition's generation. Another generation may have another schema. */
  readonly generation: number;
  /** Whether the definition is being deleted. Then no objects can be created. */
  readonly isTerminating: boolean;
  /** The apiVersion with which objects of all versions are stored. */
  readonly storedAs: string;
  /** The structural schema of this version, as in the definition. */
  readonly schema: JsonObject;
  /** The schemas of all versions in the definition, by apiVersion. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** Whether the definition names a webhook that converts between versions. Winnow calls none. */
  readonly convertsByWebhook?: boolean;
  /** The selector fields of its objects and their targets, as in the definition's annotation. */
  readonly selects?: string;
  /** The warning for users of this version. */
  readonly warning?: string;
}
