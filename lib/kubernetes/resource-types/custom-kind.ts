import type { JsonObject } from '../../json/index.ts';

/** The annotation on a CustomResourceDefinition that says which fields of its objects select what. */
export const SELECTS = 'winnow.dev/selects';

/** Of a type that a CustomResourceDefinition has made, one version of it: what its objects hold, and how they are kept. */
export interface CustomKind {
  /** The definition's uid: a kind that is made anew under the same names is another. */
  readonly uid: string;
  /** The definition's: another one may have another schema. */
  readonly generation: number;
  /** Whether the definition is being deleted: nothing is created any more. */
  readonly isTerminating: boolean;
  /** The apiVersion with which objects of all versions are stored. */
  readonly storedAs: string;
  /** The structural schema of this version, as the definition has it. */
  readonly schema: JsonObject;
  /** Those of all versions that the definition has, by apiVersion. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** Which fields of its objects select what, as the definition's annotation has it. */
  readonly selects?: string;
  /** What users of this version are warned of. */
  readonly warning?: string;
}
