import type { JsonObject } from '../../../json/index.ts';
import type { Amounts } from '../amounts.ts';

/** Counts objects of one type for quotas. */
export interface Evaluator {
  /** Whether this evaluator counts a quota's resource, such as `requests.cpu`. */
  counts(resource: string): boolean;
  /** The usage of one object. A pod that has ended uses only `count/pods`. `now` is in ms since the epoch. */
  usage(body: JsonObject, now: number): Amounts;
  /** Whether the object is in the scope of a quota. */
  isWithin(scope: Scope, body: JsonObject): boolean;
  /**
   * The fields that an object must set because a quota has these resources, as an error text; undefined if none is
   * missing.
   */
  missing?(body: JsonObject, resources: readonly string[]): string | undefined;
}

/** A scope that limits the objects that a quota counts. */
export interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}
