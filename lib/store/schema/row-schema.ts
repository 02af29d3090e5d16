import { type Clock, TIMING } from '../../platform/index.ts';
import { UnknownSchemaError } from '../errors.ts';
import type { Row } from '../table.ts';
import type { KnownSchemas } from './known-schemas.ts';
import { type SchemaState, schemaIn, writtenAt } from './schema-row.ts';

/** Those of this version of Winnow. */
export const KNOWN_SCHEMAS: KnownSchemas = { oldest: 1, newest: 3 };

/** The version from which on a Subscription or a Tally may be of some objects only: code of before would tell of all. */
export const SCOPED_SCHEMA = 2;

/**
 * The version from which on a Subscription or a Tally may run as a service account (`spec.serviceAccountName`): code of
 * before knows the account by its name alone, and would go on for one of the same name.
 */
export const IDENTITY_SCHEMA = 3;

export interface RowSchemaOptions {
  readonly clock: Clock;
  readonly known?: KnownSchemas;
  /** For how long a look at the row counts, in ms. */
  readonly counts?: number;
}

/**
 * What a process knows of the schema row: a look counts for a minute from before it was taken. The row may be newer
 * than this reading for so long. The operator's raise takes effect later than that (docs/decisions/0017).
 */
export class RowSchema {
  readonly #clock: Clock;
  readonly #known: KnownSchemas;
  readonly #counts: number;
  #state: SchemaState = schemaIn(undefined);
  /** The last look counts until then. */
  #until = 0;
  #looking: Promise<void> | undefined;

  constructor({ clock, known = KNOWN_SCHEMAS, counts = TIMING.schemaLook }: RowSchemaOptions) {
    this.#clock = clock;
    this.#known = known;
    this.#counts = counts;
  }

  /** The version that rows are written in now, as the last look has it. */
  get written(): number {
    return writtenAt(this.#state, this.#clock.now());
  }

  /**
   * Whether the last look still counts.
   *
   * @throws {UnknownSchemaError} it does, and its version is not known here.
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
   * Looks by `read`, unless the last look counts or somebody else's does that is under way.
   *
   * @throws {UnknownSchemaError} and whatever `read` throws.
   */
  async look(read: () => Promise<Row | undefined>): Promise<void> {
    while (!this.isSeen) {
      if (this.#looking === undefined) {
        await this.#take(read);
      } else {
        // What fails for somebody else, whose time may be over, is looked at anew.
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
