import { Fault } from './fault.ts';

/** The error for a failed start: for a port that is taken, a {@link Fault} that names the option of the port. */
export function explainPort(error: unknown, option = '--port'): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = (error.cause ?? {}) as { readonly code?: string };
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const advice = `Choose another port with ${option}, such as ${option} 8090; ${option} 0 picks a free one`;
  return new Fault({ what: error.message, advice });
}
