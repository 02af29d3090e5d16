import type { JsonObject } from '../../store/index.ts';

/** Of a type that a CustomResourceDefinition has made, one version of it: what its objects hold, and how they are kept. */
export interface CustomKind {
  /** The definition's uid: a kind that is made anew under the same names is another. */
  readonly uid: string;
  /** Whether the definition is being deleted: nothing is created any more. */
  readonly isTerminating: boolean;
  /** The apiVersion with which objects of all versions are stored. */
  readonly storedAs: string;
  /** The structural schema of this version, as the definition has it. */
  readonly schema: JsonObject;
  /** Those of all versions that the definition has, by apiVersion. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** What users of this version are warned of. */
  readonly warning?: string;
}
