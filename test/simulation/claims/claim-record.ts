import type { JsonObject } from '../../../lib/json/index.ts';
import type { World } from '../world/world.ts';

/** One request of a client, in virtual ms; `returned` undefined: the client received no answer. */
export interface Claim {
  readonly token: string;
  readonly invoked: number;
  readonly returned: number | undefined;
  readonly status: number | undefined;
  /** The body of the answer: the object, or the reason of the refusal. */
  readonly answer: JsonObject | undefined;
}

/**
 * A quota, and the time in which it was certainly in force: from the answer to its client until the client's next
 * request.
 */
export interface Ration {
  readonly name: string;
  readonly hard: Readonly<Record<string, number>>;
  /** When it may have come into force, and when it certainly had. */
  readonly invoked: number;
  from?: number;
  /** When it may have ended, and when it certainly had. */
  until?: number;
  gone?: number;
}

/** The clients' requests and answers, and the reservations. */
export class ClaimRecord {
  readonly claims: Claim[] = [];
  readonly rations: Ration[] = [];
  /** The uid that holds each reservation, by the rows of the table. */
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
