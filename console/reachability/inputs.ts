/** What the user asks, as the route holds it. */
export interface Inputs {
  /** The label by which pods are grouped. */
  readonly key: string;
  readonly port: string;
  readonly protocol: string;
}

export const PROTOCOLS: readonly string[] = ['TCP', 'UDP', 'SCTP'];

/** Reads the inputs from the keys and the fields of a route: `port=443,protocol=TCP`. */
export function readInputs(keys: readonly string[], fields: string): Inputs {
  const found = new Map(fields.split(',').map((part) => part.split('=') as [string, string | undefined]));
  const protocol = found.get('protocol') ?? '';
  return {
    key: keys[0] ?? 'app',
    port: found.get('port') || '80',
    protocol: PROTOCOLS.includes(protocol) ? protocol : 'TCP',
  };
}

/** The parts of a route that hold the inputs. */
export function writeInputs({ key, port, protocol }: Inputs): { keys: readonly string[]; fields: string } {
  return { keys: [key], fields: `port=${port},protocol=${protocol}` };
}

/** Returns the fault of a port; undefined if the server may accept the port. */
export function portError(port: string): string | undefined {
  const isNumber = /^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
  const isName = /^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/.test(port) && /[a-z]/.test(port);
  return isNumber || isName ? undefined : 'Use a number from 1 to 65535, or the name of a port';
}
