import { isJsonObject, type JsonObject, objectAt } from '../../../store/index.ts';
import type { TypeRules } from './type-rules.ts';

/** What only a Service with an address inside has. */
const INSIDE = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const;

/** The families of a Service's addresses. There is no network here: an address is what somebody gives it. */
export const serviceRules: TypeRules = {
  prepare: (body, old) => {
    const { spec } = body;
    if (!isJsonObject(spec)) return body;
    const before = objectAt(old?.spec ?? {});
    const prepared = spec.type === 'ExternalName' ? outside(spec, before) : inside(spec, before);
    return { ...body, spec: prepared };
  },
};

function inside(spec: JsonObject, before: JsonObject): JsonObject {
  const addressed = withAddress(spec, before);
  const { clusterIP, ipFamilyPolicy, ipFamilies } = addressed;
  const anywhere = clusterIP === 'None' && Object.keys(objectAt(spec.selector ?? {})).length === 0;
  const families = anywhere ? ['IPv4', 'IPv6'] : [String(clusterIP ?? '').includes(':') ? 'IPv6' : 'IPv4'];
  return {
    ...addressed,
    ipFamilies: ipFamilies ?? before.ipFamilies ?? families,
    ipFamilyPolicy:
      ipFamilyPolicy ?? before.ipFamilyPolicy ?? (anywhere ? 'RequireDualStack' : 'SingleStack'),
  };
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
    ([field, value]) => !(INSIDE.some((one) => one === field) && before[field] === value),
  );
  return Object.fromEntries(kept);
}
