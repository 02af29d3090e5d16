/** Errors of the system before a connection exists, also those of undici, Bun and WebKit. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);
/** Errors of the TLS handshake: the client trusts no certificate of the server, or the server does not speak TLS. */
const UNTRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH$|ERR_TLS_(CERT_|HANDSHAKE)|ERR_SSL_(WRONG_VERSION|PACKET_LENGTH|UNSUPPORTED_PROTOCOL|HTTP_REQUEST|.*(HANDSHAKE_FAILURE|ALERT_PROTOCOL_VERSION|UNRECOGNIZED_NAME)))/;
/** The system calls that open a connection. An error of another call may come after the request was sent. */
const OPENING = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** The parts of an error of `fetch` or of Node that name its cause. */
interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  /** The error of each address of a name. */
  readonly errors?: readonly unknown[];
}

/** What an error of `fetch` says about a request. */
export interface Break {
  /** The code of the system's error, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
  /** Whether the server certainly did not get the request. */
  readonly isUnsent: boolean;
  /** Whether the same error would follow a repetition: the server's certificate is not trusted. */
  readonly isFinal: boolean;
}

/** Reads an error of `fetch`: of its cause, if it has one. */
export function readBreak(error: unknown): Break {
  const outer = (error ?? {}) as SystemError;
  const { code, syscall, errors = [], message } = (outer.cause ?? outer) as SystemError;
  const text = typeof code === 'string' ? code : undefined;
  const isFinal = UNTRUSTED.test(text ?? '');
  const isUnsent =
    isFinal ||
    UNSENT.has(text ?? '') ||
    OPENING.has(String(syscall)) ||
    // Deno names no code.
    /client error \(Connect\)/.test(`${String(outer.message)} ${String(message)}`) ||
    (errors.length > 0 && errors.every((one) => readBreak(one).isUnsent));
  return { code: text ?? errors.map((one) => readBreak(one).code)[0], isUnsent, isFinal };
}
