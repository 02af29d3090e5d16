import { delimiter, dirname } from 'node:path';

/** The PATH for a child that runs `node`: this Node, whatever else is installed. */
export function ownNodeFirst(): string {
  return [dirname(process.execPath), process.env.PATH].join(delimiter);
}
