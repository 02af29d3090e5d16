import { type Clock, TIMING } from '../../platform/index.ts';
import { UnknownSchemaError } from '../errors.ts';
import type { Row } from '../table.ts';
import type { KnownSchemas } from './known-schemas.ts';
import { type SchemaState, schemaIn, writtenAt } from './schema-row.ts';

/**
 * The schema versions that this release of Winnow supports. The author of a new version:
 *
 * 1. Parses old and new rows everywhere, and raises `newest`. An attribute tells new rows apart.
 * 2. Writes the version of {@link RowSchema.written}, read once for each transaction. Other processes write the
 * previous version for up to a minute more, so a new row does not prove that no old rows follow.
 * 3. Lets reconcile rewrite old rows after the raise, if anything relies on all rows being new, as postings do. Until
 *    then, reads stay as before.
 * 4. Leaves the keys of journal entries and GC tasks unchanged. The stream's filter and `relay` know them.
 * 5. Raises `oldest` no earlier than a release after the one that had all rows rewritten, and says so in the changelog.
 * 6. Mixes both versions in `test/integration/upgrades`, in place of `test/support/upgrades/next-schema.ts`.
 *
 * docs/decisions/0017-the-schema-of-rows-is-raised-by-hand.md has the reasons.
 */
export const KNOWN_SCHEMAS: KnownSchemas = { oldest: 1, newest: 7 };

/**
 * The first version in which a Subscription or a Tally may be limited to some objects. Older releases would deliver
 * all objects.
 */
export const SCOPED_SCHEMA = 2;

/**
 * The first version in which a Subscription or a Tally may run as a service account (`spec.serviceAccountName`).
 * Older releases identify the account by its name only, and would continue with a new account of the same name.
 */
export const IDENTITY_SCHEMA = 3;

/**
 * The first version whose rows can be read as history. Journal entries then have `previousMain`, and object rows
 * `mainRv`. Older releases define a kind again without raising the mark `floor`, so no older entry is shown.
 */
export const HISTORY_SCHEMA = 4;

/**
 * The first version in which admission rules count. Older releases write policies without naming them in the access
 * row, and obey none.
 */
export const RULES_SCHEMA = 5;

/**
 * The first version in which a large body may be in chunk rows. Older releases look for it in the object's own row.
 */
export const CHUNKS_SCHEMA = 6;

/**
 * The first version in which bodies may be compressed with a dictionary of text that they have in common. Older releases
 * cannot decode them.
 */
export const FAMILIAR_SCHEMA = 7;

export interface RowSchemaOptions {
  readonly clock: Clock;
  readonly known?: KnownSchemas;
  /** How long a read of the row is valid, in ms. */
  readonly counts?: number;
}

/**
 * The schema row as a process has cached it. A read is valid for a minute from before it began, so the row may be
 * newer than the cache for that long. An operator's raise takes effect later than that (docs/decisions/0017).
 */
export class RowSchema {
  readonly #clock: Clock;
  readonly #known: KnownSchemas;
  readonly #counts: number;
  #state: SchemaState = schemaIn(undefined);
  /** The end of the last read's validity, in ms since the epoch. */
  #until = 0;
  #looking: Promise<void> | undefined;

  constructor({ clock, known = KNOWN_SCHEMAS, counts = TIMING.schemaLook }: RowSchemaOptions) {
    this.#clock = clock;
    this.#known = known;
    this.#counts = counts;
  }

  /** The version in which rows are written now, according to the last read. */
  get written(): number {
    return writtenAt(this.#state, this.#clock.now());
  }

  /**
   * Whether the last read is still valid.
   *
   * @throws {UnknownSchemaError} it is valid, and this code does not support its version.
   */
  get isSeen(): boolean {
    if (this.#clock.now() >= this.#until) return false;
    const { oldest, newest } = this.#known;
    const { version } = this.#state;
    if (version > newest) throw new UnknownSchemaError(version, this.#known);
    if (this.written < oldest) throw new UnknownSchemaError(this.written, this.#known);
    return true;
  }

  /**
   * Reads the row by `read`, unless the last read is still valid. If another caller's read is under way, it waits for
   * that one first.
   *
   * @throws {UnknownSchemaError} and whatever `read` throws.
   */
  async look(read: () => Promise<Row | undefined>): Promise<void> {
    while (!this.isSeen) {
      if (this.#looking === undefined) {
        await this.#take(read);
      } else {
        // Another caller's read may fail because that caller's time is over. This caller then reads again.
        await this.#looking.catch(() => {});
      }
    }
  }

  async #take(read: () => Promise<Row | undefined>): Promise<void> {
    const began = this.#clock.now();
    const looking = read().then((row) => {
      this.#state = schemaIn(row);
      this.#until = began + this.#counts;
    });
    this.#looking = looking;
    try {
      await looking;
    } finally {
      this.#looking = undefined;
    }
  }
}
