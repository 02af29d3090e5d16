import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import { needsAddress } from '../../objects/index.ts';
import type { Allotted, Allotting } from './allotment.ts';
import { addressName } from './claims.ts';
import { isServiceAddress, rehearsedAddress } from './ranges.ts';

const PATH = 'spec.clusterIPs';

/** Allocates the cluster IP of a Service. IPv4 is the only address family. */
export async function allocateAddress(
  spec: JsonObject,
  { claims, before, range, dryRun }: Allotting,
): Promise<Allotted> {
  const addresses = textsOf(spec.clusterIPs);
  const isHeadless = addresses[0] === 'None';
  // A headless Service without a selector may have any address family.
  if (isHeadless && Object.keys(objectAt(spec.selector ?? {})).length === 0) return { spec };
  const known = before !== undefined && needsAddress(before) ? textsOf(before.clusterIPs) : [];
  const wrong = wrongFamily(spec, addresses);
  if (wrong !== undefined && known.length === 0) return { error: wrong };
  if (isHeadless) return { spec };
  if (addresses.length === 0) {
    const address = dryRun ? rehearsedAddress(range) : await claims.anyAddress();
    if (address === undefined) return { error: failed([], 'failed to allocate a serviceIP: range is full') };
    return { spec: { ...spec, clusterIP: address, clusterIPs: [address] } };
  }
  for (const address of addresses) {
    if (known.includes(address)) {
      // The Service had this address before reservations existed, or from another range. It reserves it now, unless
      // another Service holds it.
      await claims.claim(addressName(address));
    } else if (!isServiceAddress(range, address)) {
      const why = 'the provided network does not match the current range';
      return { error: failed(addresses, `failed to allocate IP ${address}: ${why}`) };
    } else if (!(await claims.claim(addressName(address)))) {
      return {
        error: failed(addresses, `failed to allocate IP ${address}: provided IP is already allocated`),
      };
    }
  }
  return { spec };
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function failed(addresses: readonly string[], why: string): FieldError {
  const printed = `[]string{${addresses.map((one) => JSON.stringify(one)).join(', ')}}`;
  return { type: 'Invalid', field: PATH, detail: `${printed}: ${why}` };
}

function wrongFamily(spec: JsonObject, addresses: readonly string[]): FieldError | undefined {
  const families = textsOf(spec.ipFamilies);
  const foreign = addresses.findIndex((address) => address.includes(':'));
  if (foreign >= 0 && families[foreign] === undefined) {
    const printed = `[]string{${addresses.map((one) => JSON.stringify(one)).join(', ')}}`;
    return {
      type: 'Invalid',
      field: `${PATH}[${foreign}]`,
      detail: `${printed}: IPv6 is not configured on this cluster`,
    };
  }
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services';
    return { type: 'Invalid', field: 'spec.ipFamilyPolicy', value: 'RequireDualStack', detail };
  }
  const other = families.findIndex((family) => family !== 'IPv4');
  if (other < 0) return undefined;
  const value = families[other] ?? '';
  return {
    type: 'Invalid',
    field: `spec.ipFamilies[${other}]`,
    value,
    detail: 'not configured on this cluster',
  };
}
