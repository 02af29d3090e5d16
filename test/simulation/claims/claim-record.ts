import type { JsonObject } from '../../../lib/json/index.ts';
import type { World } from '../world/world.ts';

/** One request of a client, in virtual ms; `returned` undefined: it never heard of it. */
export interface Claim {
  readonly token: string;
  readonly invoked: number;
  readonly returned: number | undefined;
  readonly status: number | undefined;
  /** What it was answered: the object, or why not. */
  readonly answer: JsonObject | undefined;
}

/** A quota as it was for sure: from when its client was answered until it asked for something else. */
export interface Ration {
  readonly name: string;
  readonly hard: Readonly<Record<string, number>>;
  /** When it may have come into force, and when it was. */
  readonly invoked: number;
  from?: number;
  /** When it may have gone, and when it had. */
  until?: number;
  gone?: number;
}

/** What clients asked and were answered, and which reservations there are. */
export class ClaimRecord {
  readonly claims: Claim[] = [];
  readonly rations: Ration[] = [];
  /** Who has what, by the rows of the table. */
  readonly reserved = new Map<string, string>();

  /** Follows the rows of the table. */
  follow({ table }: World): void {
    const prefix = 'reservation#';
    table.watch(({ before, after }) => {
      const { pk } = after ?? before ?? { pk: '' };
      if (!pk.startsWith(prefix)) return;
      const name = pk.slice(prefix.length);
      if (after?.uid === undefined) {
        this.reserved.delete(name);
      } else {
        this.reserved.set(name, String(after.uid));
      }
    });
  }
}
