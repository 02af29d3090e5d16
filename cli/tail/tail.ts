import { Connection, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { type Followed, follow } from './follow.ts';
import type { TailOptions } from './options.ts';

const WORDS = { ADDED: 'entered', MODIFIED: 'changed', DELETED: 'left   ' } as const;

/** Prints the changes that a Subscription delivers, until the user interrupts. */
export async function tail(name: string, options: TailOptions): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.abort(new Error('interrupted')));
  }
  const { signal } = interrupted;
  const connection = new Connection(openAccess(options), signal);
  const { namespace, output, snapshot = false } = options;
  try {
    for await (const told of follow({ connection, name, namespace, snapshot, signal })) print(told, output);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Prints events to standard output, and notes to standard error. */
function print(told: Followed, output: TailOptions['output']): void {
  if (told.type === 'BEGIN') {
    screen.note(told.text);
  } else if (told.type === 'NOTE') {
    screen.error(told.text);
  } else if (output === 'json') {
    process.stdout.write(`${JSON.stringify(told)}\n`);
  } else {
    const { namespace, name, resourceVersion } = told.object.metadata;
    const where = namespace === undefined ? name : `${namespace}/${name}`;
    process.stdout.write(`${WORDS[told.type]}  ${where}  resourceVersion ${resourceVersion}\n`);
  }
}
