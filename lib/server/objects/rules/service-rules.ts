import { isJsonObject, type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';
import { withKeptPorts, withoutFormer } from './service-fields.ts';

/** The fields that only a Service with a cluster IP has. */
const INSIDE = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const;

/** The rules of Services: address families, and fields kept from the old one. The write allots addresses and ports. */
export const serviceRules = {
  prepare: (body, old) => {
    const { spec } = body;
    if (!isJsonObject(spec)) return body;
    const before = objectAt(old?.spec ?? {});
    const kept = old === undefined ? spec : withoutFormer(withKeptPorts(spec, before), before);
    const prepared = kept.type === 'ExternalName' ? outside(kept, before) : inside(kept, before);
    return { ...body, spec: prepared };
  },
} satisfies TypeRules;

function inside(spec: JsonObject, before: JsonObject): JsonObject {
  const addressed = withAddress(spec, before);
  const { clusterIP, ipFamilyPolicy, ipFamilies } = addressed;
  const anywhere = clusterIP === 'None' && Object.keys(objectAt(spec.selector ?? {})).length === 0;
  // An address of the other family gets no default family: validation refuses the address.
  const known = ipFamilies ?? before.ipFamilies ?? (isForeign(clusterIP) ? undefined : ['IPv4']);
  const families = anywhere ? (ipFamilies ?? before.ipFamilies ?? ['IPv4', 'IPv6']) : known;
  return {
    ...addressed,
    ...(families !== undefined && { ipFamilies: families }),
    ipFamilyPolicy:
      ipFamilyPolicy ?? before.ipFamilyPolicy ?? (anywhere ? 'RequireDualStack' : 'SingleStack'),
  };
}

function isForeign(address: JsonValue | undefined): boolean {
  return String(address ?? '').includes(':');
}

/** The spec with its address in both fields. Without an address in the update, the old one stays. */
function withAddress(spec: JsonObject, before: JsonObject): JsonObject {
  const { clusterIP = before.clusterIP, clusterIPs = before.clusterIPs } = spec;
  const [first] = Array.isArray(clusterIPs) ? clusterIPs : [];
  const own = spec.clusterIP ?? first ?? clusterIP;
  if (own === undefined) return spec;
  return { ...spec, clusterIP: own, clusterIPs: first === own ? (clusterIPs ?? []) : [own] };
}

function outside(spec: JsonObject, before: JsonObject): JsonObject {
  const kept = Object.entries(spec).filter(
    ([field, value]) =>
      !(INSIDE.some((one) => one === field) && jsonEquals(before[field] ?? null, value ?? null)),
  );
  return Object.fromEntries(kept);
}
