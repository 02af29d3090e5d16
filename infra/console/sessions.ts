import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** 128 bits, which nothing can guess. */
const BYTES = 16;

/** A session of a page. It begins with the code of a link. The server stores only digests of the code and the token. */
class Session {
  readonly code: Buffer;
  token: Buffer | undefined;
  isEnded = false;
  readonly #answers = new Set<ServerResponse>();

  constructor(code: string) {
    this.code = digestOf(code);
  }

  /** Makes an answer end with the session. */
  add(response: ServerResponse): void {
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
  }

  end(): void {
    this.isEnded = true;
    for (const answer of this.#answers) answer.destroy();
  }
}

export type { Session };

/**
 * The sessions of a console. The code of a link begins one session. It has no time limit: it ends with the process, at
 * its first use, or when a newer link replaces it. A code in the arguments of a browser is visible to other users of
 * the machine. So a second use of a code ends its session, for both users of the code.
 */
export class Sessions {
  readonly #sessions: Session[] = [];
  readonly #onReuse: () => void;

  /** @param onReuse called when a second use of a code has ended a session */
  constructor(onReuse: () => void) {
    this.#onReuse = onReuse;
  }

  /** Returns a new code. An older code that no page has used becomes invalid. */
  newCode(): string {
    const code = randomText();
    const last = this.#sessions.at(-1);
    if (last !== undefined && last.token === undefined) this.#sessions.pop();
    this.#sessions.push(new Session(code));
    return code;
  }

  /** Begins the session of a code, and returns its token; undefined if the code is not valid. */
  begin(code: string): string | undefined {
    const session = this.#find('code', code);
    if (session === undefined) return undefined;
    if (session.token !== undefined) {
      if (!session.isEnded) {
        session.end();
        this.#onReuse();
      }
      return undefined;
    }
    const token = randomText();
    session.token = digestOf(token);
    return token;
  }

  /** Whether a second use of a code has ended its session. */
  wasUsedTwice(code: string): boolean {
    return this.#find('code', code)?.isEnded === true;
  }

  /** The session of a token; undefined if the token is not valid or the session has ended. */
  find(token: string): Session | undefined {
    const session = this.#find('token', token);
    return session?.isEnded === false ? session : undefined;
  }

  #find(part: 'code' | 'token', text: string): Session | undefined {
    const digest = digestOf(text);
    return this.#sessions.find((session) => {
      const known = session[part];
      return known !== undefined && timingSafeEqual(known, digest);
    });
  }
}

function randomText(): string {
  return randomBytes(BYTES).toString('base64url');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
