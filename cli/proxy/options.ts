import type { AccessOptions } from '../connection/index.ts';

export interface ProxyCommandOptions extends AccessOptions {
  readonly port: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
}
