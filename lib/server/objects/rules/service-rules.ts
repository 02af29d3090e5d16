import { isJsonObject, type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';
import { withKeptPorts, withoutFormer } from './service-fields.ts';

/** What only a Service with an address inside has. */
const INSIDE = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const;

/** The families of a Service's addresses, and what it keeps of what it had. Addresses and ports are given when it is written. */
export const serviceRules: TypeRules = {
  prepare: (body, old) => {
    const { spec } = body;
    if (!isJsonObject(spec)) return body;
    const before = objectAt(old?.spec ?? {});
    const kept = old === undefined ? spec : withoutFormer(withKeptPorts(spec, before), before);
    const prepared = kept.type === 'ExternalName' ? outside(kept, before) : inside(kept, before);
    return { ...body, spec: prepared };
  },
};

function inside(spec: JsonObject, before: JsonObject): JsonObject {
  const addressed = withAddress(spec, before);
  const { clusterIP, ipFamilyPolicy, ipFamilies } = addressed;
  const anywhere = clusterIP === 'None' && Object.keys(objectAt(spec.selector ?? {})).length === 0;
  // Of an address of the other family nothing is said: it is refused.
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

/** One address is said twice; one that was there stays where nothing is said of it. */
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
