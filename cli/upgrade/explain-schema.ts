import type { KnownSchemas, SchemaState } from '../../lib/store/index.ts';

interface Moment {
  readonly known: KnownSchemas;
  /** ms since the epoch. */
  readonly now: number;
}

/** What the schema row says, and what can be done about it: a line each, for people. */
export function explainSchema(state: SchemaState, moment: Moment): readonly string[] {
  const { version, from } = state;
  const isAhead = moment.now < from;
  const written = isAhead ? version - 1 : version;
  const when = isAhead ? `, and in version ${version} from ${new Date(from).toISOString()} on` : '';
  return [`Rows are written in version ${written} of their schema${when}.`, advice(state, moment)];
}

function advice({ version, from }: SchemaState, { known: { newest }, now }: Moment): string {
  const next = version + 1;
  if (version > newest) return `This Winnow knows none above ${newest}, and does nothing with the table.`;
  if (now < from) return `Who does not know version ${version} does nothing with the table any more.`;
  if (version === newest) return 'This Winnow knows none above it: there is nothing to raise.';
  return `This Winnow knows version ${next}. With --raise it is written, and there is no way back to an older Winnow.`;
}
