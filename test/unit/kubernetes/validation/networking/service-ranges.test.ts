import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../../lib/json/index.ts';
import {
  ipAddress,
  ipAddressUpdate,
  serviceRanges,
  serviceRangesUpdate,
} from '../../../../../lib/kubernetes/validation/networking/service-ranges.ts';

/** The errors without the value that an error about a list or an object repeats. */
const told = (errors: Iterable<{ field: string; detail?: string }>) =>
  [...errors].map(({ field, detail = '' }) => `${field}: ${detail.replace(/^.*\}\)?: /, '')}`);
const address = (parentRef?: JsonObject): JsonObject => ({
  spec: parentRef === undefined ? {} : { parentRef },
});
const ranges = (...cidrs: string[]) => ({ spec: { cidrs } });

describe('An IPAddress', () => {
  it('names its parent', () => {
    expect(told(ipAddress(address()))).toEqual(['spec.parentRef: ']);
    expect(told(ipAddress(address({ namespace: 'a/b' })))).toEqual([
      'spec.parentRef.resource: ',
      'spec.parentRef.name: ',
      "spec.parentRef.namespace: may not contain '/'",
    ]);
    expect(told(ipAddress(address({ resource: 'services', name: 'web' })))).toEqual([]);
  });

  it('keeps its parent', () => {
    const one = address({ resource: 'services', name: 'one' });
    expect(told(ipAddressUpdate(one, one))).toEqual([]);
    expect(told(ipAddressUpdate(address({ resource: 'services', name: 'two' }), one))).toEqual([
      'spec.parentRef: field is immutable',
    ]);
  });
});

describe('A ServiceCIDR', () => {
  it.each([
    [[], ['spec.cidrs: at least one CIDR required']],
    [['10.0.0.0/8', '::/64', '::/48'], ['spec.cidrs: may only hold up to 2 values']],
    [['10.0.0.0'], ['spec.cidrs[0]: must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
    [
      ['10.0.0.0/8', '192.168.0.0/16'],
      [
        'spec.cidrs: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
    [['10.0.0.0/8', '2001:db8::/64'], []],
  ])('with the ranges %j has the errors %j', (cidrs, errors) => {
    expect(told(serviceRanges(ranges(...cidrs)))).toEqual(errors);
  });

  it('keeps its range, and may get one of the other family', () => {
    const one = ranges('10.0.0.0/8');
    expect(told(serviceRangesUpdate(one, one))).toEqual([]);
    expect(told(serviceRangesUpdate(ranges('10.0.0.0/8', '::/64'), one))).toEqual([]);
    expect(told(serviceRangesUpdate(ranges('11.0.0.0/8'), one))).toEqual([
      'spec.cidrs[0]: field is immutable',
    ]);
    expect(told(serviceRangesUpdate(ranges(), one))).toEqual(['spec.cidrs: field is immutable']);
  });
});
