import { InvalidContinueError } from './errors.ts';
import { nameKey, parseNameKey } from './keys.ts';
import type { ObjectName } from './object.ts';

/** Where the next page begins: the first page's resourceVersion and the last page's last name. */
export interface ContinueToken {
  readonly rv: number;
  readonly last: ObjectName;
}

const FORMAT = 1;

export function encodeContinue({ rv, last }: ContinueToken): string {
  return Buffer.from(JSON.stringify([FORMAT, rv, nameKey(last)])).toString('base64url');
}

/** @throws {InvalidContinueError} */
export function decodeContinue(text: string): ContinueToken {
  const [format, rv, last, ...rest] = parseTuple(text);
  const valid =
    format === FORMAT &&
    Number.isSafeInteger(rv) &&
    Number(rv) > 0 &&
    typeof last === 'string' &&
    /^[a-z0-9.-]{0,253}\/[a-z0-9.-]{1,253}$/.test(last) &&
    rest.length === 0;
  if (!valid) {
    throw new InvalidContinueError(`continue key is not valid: ${JSON.stringify(text.slice(0, 80))}`);
  }
  return { rv: Number(rv), last: parseNameKey(last) };
}

function parseTuple(text: string): unknown[] {
  if (!/^[A-Za-z0-9_-]{1,1024}$/.test(text)) return [];
  try {
    const tuple: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(tuple) ? tuple : [];
  } catch {
    return [];
  }
}
