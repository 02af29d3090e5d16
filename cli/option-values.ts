import { InvalidArgumentError } from 'commander';
import { readAllowedHosts, readAllowedOrigins } from '../infra/loopback-guard/index.ts';

/** Reads the option `--port`. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return port;
}

/** Reads the option `--allowed-hosts`. @throws InvalidArgumentError */
export function parseHosts(text: string): readonly string[] {
  return understood(() => readAllowedHosts(text));
}

/** Reads the option `--allowed-origins`. @throws InvalidArgumentError */
export function parseOrigins(text: string): readonly string[] {
  return understood(() => readAllowedOrigins(text));
}

/** Returns what `read` returns. Its error becomes one of an option, which commander prints with the name. */
export function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
