import type { KubernetesObject } from '../client.ts';
import { type Connection, Fault } from '../connection/index.ts';
import type { Target } from './find-target.ts';
import { readHistory } from './read-history.ts';

/** The changes of one page. */
const PAGE = 20;

/** An object at a resourceVersion. */
export interface FoundState {
  readonly version: string;
  /** Undefined if the object did not exist. */
  readonly state: KubernetesObject | undefined;
}

/**
 * Finds an object's state at one of its resourceVersions; without one, before its last change. First it looks through
 * the changes of more than the status, and then through all.
 *
 * @throws {Fault} the history does not have the resourceVersion, or the object has no history
 */
export async function findState(
  connection: Connection,
  target: Target,
  version: string | undefined,
): Promise<FoundState> {
  for (const all of [false, true]) {
    const request = { all, states: true, limit: PAGE };
    for await (const { resourceVersion, previousResourceVersion, before, after } of readHistory(
      connection,
      target,
      request,
    )) {
      if (version === undefined && previousResourceVersion === undefined) {
        throw new Fault({
          what: 'the history of this object shows no state before its last change',
          advice: 'List what is recorded: bin/winnow.js log TYPE/NAME --all',
        });
      }
      if (version === undefined || version === previousResourceVersion) {
        return { version: String(previousResourceVersion), state: before };
      }
      if (version === resourceVersion) return { version, state: after };
      if (BigInt(version) > BigInt(resourceVersion)) break;
    }
  }
  throw new Fault({
    what:
      version === undefined
        ? 'no change of this object is recorded'
        : `the history of this object has no resourceVersion ${version}`,
    advice: 'List what is recorded: bin/winnow.js log TYPE/NAME --all',
  });
}
