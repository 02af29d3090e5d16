import { Fault } from './fault.ts';

/** The error for a failed start: for a port that is taken, a {@link Fault} that names the option `--port`. */
export function explainPort(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = (error.cause ?? {}) as { readonly code?: string };
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const advice = 'Choose another port with --port, such as --port 8081; --port 0 picks a free one';
  return new Fault({ what: error.message, advice });
}
