import type { KnownSchemas, SchemaState } from '../../lib/store/index.ts';

interface Moment {
  readonly known: KnownSchemas;
  /** ms since the epoch. */
  readonly now: number;
}

/** Two lines for the operator: the version of the row schema, and what can be done. */
export function explainSchema(state: SchemaState, moment: Moment): readonly string[] {
  const { version, from } = state;
  const isAhead = moment.now < from;
  const written = isAhead ? version - 1 : version;
  const when = isAhead ? `, and version ${version} from ${new Date(from).toISOString()} on` : '';
  return [`The table uses row schema version ${written}${when}.`, advice(state, moment)];
}

function advice({ version, from }: SchemaState, { known: { newest }, now }: Moment): string {
  const next = version + 1;
  if (version > newest) {
    return `This release supports versions up to ${newest}, and refuses to use the table.`;
  }
  if (now < from) return `Releases that do not support version ${version} now refuse to use this table.`;
  if (version === newest) return 'This release supports no later version: there is nothing to raise.';
  return `This release supports version ${next}. Raise it with --raise; after that no older release can use the table.`;
}
