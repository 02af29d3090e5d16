import type { ResourceType } from '../../resource-types/index.ts';

const VERSION = /^v(?<major>[1-9]\d*)(?:(?<stage>alpha|beta)(?<minor>[1-9]\d*))?$/;
const STAGES = ['alpha', 'beta', ''];

/**
 * Compares version names in the order of discovery, the most stable first: v10, v2, v1, v11beta2, v3beta1, v12alpha1.
 * Other names come last, alphabetically (k8s.io/apimachinery/pkg/version, CompareKubeAwareVersionStrings).
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [rankOf(one), rankOf(other)];
  if (left === undefined || right === undefined) {
    if (left !== right) return left === undefined ? 1 : -1;
    return one < other ? -1 : Number(one > other);
  }
  const first = left.findIndex((part, at) => part !== right[at]);
  return first === -1 ? 0 : (right[first] ?? 0) - (left[first] ?? 0);
}

/**
 * Returns the types of many definitions in the order of discovery: by group, and in each group the most stable
 * version first, across kinds. Clients take the first version as the preferred one of the group.
 */
export function inDiscoveryOrder(types: readonly ResourceType[]): ResourceType[] {
  return types.toSorted((one, other) => {
    if (one.group !== other.group) return one.group < other.group ? -1 : 1;
    return compareVersions(one.version, other.version);
  });
}

function rankOf(name: string): readonly number[] | undefined {
  const { major, stage = '', minor = '0' } = VERSION.exec(name)?.groups ?? {};
  return major === undefined ? undefined : [STAGES.indexOf(stage), Number(major), Number(minor)];
}
