import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { TokenUsers } from './token-users.ts';

/** The syntax of tokens in an Authorization header: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Reads a token file in the format of kube-apiserver's `--token-auth-file`: one token per line, with optional groups
 * in one column.
 *
 *   31ada4fd-adec-460c-809a-9e56ceb75269,jane,7,"fleet,operators"
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#static-token-file
 *
 * @throws {Error} the file cannot be read, or a line is invalid. No message contains a token.
 */
export async function readTokenFile(file: string): Promise<TokenUsers> {
  const users = new TokenUsers();
  for (const { line, columns } of linesOf(await readFile(file, 'utf8'), file)) {
    try {
      addLine(users, columns);
    } catch (error) {
      throw new Error(`${file}, line ${line}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return users;
}

function addLine(users: TokenUsers, columns: readonly string[]): void {
  const [token = '', username = '', uid = '', groups = ''] = columns;
  if (columns.length < 3) throw new Error('it must have a token, a user, a uid, and optional groups');
  if (!TOKEN.test(token)) throw new Error('the token is empty, or has characters that a header cannot hold');
  if (username === '') throw new Error('the user is empty');
  // Users appear in logs and messages, so control characters are refused.
  if (/\p{Cc}/u.test(username)) throw new Error('the user has control characters');
  const named = groups === '' ? [] : groups.split(',');
  users.add(token, { username, groups: named, ...(uid === '' ? {} : { uid }) });
}

interface Line {
  readonly line: number;
  readonly columns: readonly string[];
}

function linesOf(text: string, file: string): readonly Line[] {
  try {
    const records = parse(text, {
      comment: '#',
      comment_no_infix: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (records as unknown as { record: string[]; info: { lines: number } }[]).map(
      ({ record, info }) => ({ line: info.lines, columns: record }),
    );
  } catch (error) {
    const { lines = '?' } = error as { lines?: number };
    throw new Error(`${file}, line ${lines}: it is not valid CSV`);
  }
}
