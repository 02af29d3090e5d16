import { type JsonObject, jsonEquals, metadataOf } from '../../../lib/json/index.ts';
import { JournalChange, parseEntry } from '../../../lib/store/journal.ts';
import { parseJournalKey } from '../../../lib/store/keys.ts';
import { PODS } from '../actors/pods.ts';
import type { Plural } from '../kinds/definition.ts';
import { EPOCH } from '../world/clock.ts';
import type { World } from '../world/world.ts';

/** A change as the table's transactions made it. Times are in virtual ms. */
export interface Change {
  readonly rv: number;
  readonly object: string;
  readonly type: string;
  /** Both states, as JSON. */
  readonly states: string;
  /** Whether more than `status` and `metadata.managedFields` differ. */
  readonly isMain: boolean;
  readonly written: number;
  readonly expires: number;
}

/** An acknowledged write of an object. */
export interface Acknowledged {
  readonly object: string;
  readonly rv: number;
  readonly returned: number;
}

/** What a client read of the past. */
export interface Reading {
  /** The object; undefined: the whole collection. */
  readonly object?: string;
  readonly all: boolean;
  /** Whether the client invented where to begin. */
  readonly isForged: boolean;
  readonly invoked: number;
  readonly returned: number;
  readonly changes: readonly Pick<Change, 'rv' | 'object' | 'type' | 'states'>[];
  readonly end: string;
}

/** The eras of objects in the history of a custom kind. */
export interface KindReading {
  readonly plural: Plural;
  readonly invoked: number;
  readonly eras: readonly string[];
}

/** The changes of pods, from the table's rows, and what clients read of them later. */
export class PastRecord {
  readonly changes: Change[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly readings: Reading[] = [];
  readonly kindReadings: KindReading[] = [];

  follow({ table }: World): void {
    table.watch(({ before, after }) => {
      if (before !== undefined || after === undefined || parseJournalKey(after)?.collection !== PODS) return;
      const entry = parseEntry(table.rows.whole(after));
      if (entry instanceof JournalChange) this.changes.push(changeOf(entry));
    });
  }
}

export function changeOf(entry: JournalChange): Change {
  const { rv, nameKey: object, type, before, after, time, expires } = entry;
  const isMain = !jsonEquals(main(before?.body), main(after?.body));
  const states = JSON.stringify([before?.rv, before?.body, after?.body]);
  return { rv, object, type, states, isMain, written: time - EPOCH, expires: expires - EPOCH };
}

function main(body: JsonObject | undefined): JsonObject {
  const { status: _, metadata: __, ...rest } = body ?? {};
  const { managedFields: ___, ...metadata } = body === undefined ? {} : metadataOf(body);
  return { ...rest, metadata: metadata as JsonObject, isThere: body !== undefined };
}
