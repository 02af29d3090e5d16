import type { JsonObject, JsonValue } from '../../../json/index.ts';
import { type Column, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, firstThree, NAME, text } from '../columns.ts';

export const endpoints: readonly Column[] = [
  NAME,
  text('Endpoints', 'Addresses behind the service.', (o) => firstThree(addresses(o), NONE)),
  AGE,
];

function addresses(object: JsonObject): string[] {
  return listAt(object, 'subsets').flatMap(inSubset);
}

function inSubset(subset: JsonValue): string[] {
  const ips = listAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const ports = listAt(subset, 'ports').map((port) => textAt(port, 'port'));
  if (ports.length === 0) return ips;
  return ports.flatMap((port) => ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
}
