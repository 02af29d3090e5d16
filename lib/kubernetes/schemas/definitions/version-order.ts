import type { ResourceType } from '../../resource-types/index.ts';

const VERSION = /^v(?<major>[1-9]\d*)(?:(?<stage>alpha|beta)(?<minor>[1-9]\d*))?$/;
const STAGES = ['alpha', 'beta', ''];

/**
 * Compares names of versions as discovery orders them, the most stable first: v10, v2, v1, v11beta2, v3beta1,
 * v12alpha1; what is none of these comes last, by its letters (k8s.io/apimachinery/pkg/version, CompareKubeAwareVersionStrings).
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
 * The types of many definitions as discovery tells them: by group, and in each the most stable version first,
 * whichever kind has it. Clients take the first for the one that the group prefers.
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
