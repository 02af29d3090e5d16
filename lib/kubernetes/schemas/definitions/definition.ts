import { type JsonObject, objectAt } from '../../../json/index.ts';
import type { Schema } from '../schema.ts';

/** The names of a custom kind. */
export interface Names {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface Subresources {
  readonly status?: object;
  readonly scale?: ScalePaths;
}

export interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface Conversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly clientConfig?: JsonObject;
    readonly conversionReviewVersions?: readonly string[];
  };
}

export interface DefinitionSpec {
  readonly group: string;
  readonly names: Names;
  readonly scope: string;
  readonly versions: readonly Version[] | null;
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

export interface DefinitionStatus {
  readonly conditions: readonly Condition[] | null;
  readonly acceptedNames: Names;
  readonly storedVersions: readonly string[] | null;
}

/** Returns the spec of a CustomResourceDefinition that was decoded as apiextensions.k8s.io/v1. */
export function specOf(definition: JsonObject): DefinitionSpec {
  return objectAt(definition.spec) as unknown as DefinitionSpec;
}

/** Returns the status of a definition. If it has none yet, no names are accepted. */
export function statusOf(definition: JsonObject): DefinitionStatus {
  const status = objectAt(definition.status) as unknown as Partial<DefinitionStatus>;
  return {
    conditions: status.conditions ?? null,
    acceptedNames: status.acceptedNames ?? { plural: '', kind: '' },
    storedVersions: status.storedVersions ?? null,
  };
}

export function versionsOf({ versions }: DefinitionSpec): readonly Version[] {
  return versions ?? [];
}

/** Whether a condition of the definition is True. */
export function isTrue({ conditions }: DefinitionStatus, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}
