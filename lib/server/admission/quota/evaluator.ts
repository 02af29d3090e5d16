import type { JsonObject } from '../../../json/index.ts';
import type { Amounts } from '../amounts.ts';

/** What a quota counts of the objects of one type. */
export interface Evaluator {
  /** Whether the resource of a quota is counted here. */
  counts(resource: string): boolean;
  /** What one object takes. `now` in ms since the epoch: what has ended takes nothing. */
  usage(body: JsonObject, now: number): Amounts;
  /** Whether the object is in the scope of a quota. */
  isWithin(scope: Scope, body: JsonObject): boolean;
  /** What an object has to say to be counted, where the quota has these resources; undefined where it does. */
  missing?(body: JsonObject, resources: readonly string[]): string | undefined;
}

/** What a quota is limited to. */
export interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}
