import type { JsonObject } from '../../../json/index.ts';
import type { ServiceRange } from '../../../platform/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import type { Claims } from './claims.ts';

/** The result of an allocation step: the new spec, or the error for the requested value. */
export type Allotted = { readonly spec: JsonObject } | { readonly error: FieldError };

/** The input of an allocation step. */
export interface Allotting {
  readonly claims: Claims;
  /** The current spec; undefined for a new Service. */
  readonly before: JsonObject | undefined;
  readonly range: ServiceRange;
  readonly dryRun: boolean;
}
