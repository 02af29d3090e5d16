import { Connection, openAccess } from '../connection/index.ts';
import { findType } from '../finding/index.ts';
import { moduleOf } from './module-of.ts';
import type { TypesOptions } from './options.ts';
import { readKind } from './read-kind.ts';

/** Prints a TypeScript module with the types of a kind that the endpoint serves. */
export async function types(named: string, options: TypesOptions): Promise<void> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  const connection = new Connection(openAccess(options), interrupted.signal);
  process.stdout.write(moduleOf(await readKind(connection, await findType(connection, named))));
}
