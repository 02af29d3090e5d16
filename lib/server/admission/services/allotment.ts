import type { JsonObject } from '../../../json/index.ts';
import type { ServiceRange } from '../../../platform/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import type { Claims } from './claims.ts';

/** What an allocation comes to: a spec, or what is wrong with what was asked for. */
export type Allotted = { readonly spec: JsonObject } | { readonly error: FieldError };

/** What a step of an allocation knows. */
export interface Allotting {
  readonly claims: Claims;
  /** The spec that there is; absent of a new Service. */
  readonly before: JsonObject | undefined;
  readonly range: ServiceRange;
  readonly dryRun: boolean;
}
