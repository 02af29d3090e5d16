import { isJsonObject, type JsonObject, objectAt } from '../../json/index.ts';
import { canonicalQuantity } from '../../quantities/index.ts';
import type { Defaults } from './defaults.ts';
import { isZero } from './is-zero.ts';

/** The defaults of the other kinds of the core group. */
export const coreDefaults: Defaults = {
  'core.v1.ResourceRequirements': (resources) => roundUp(resources, ['limits', 'requests']),
  'core.v1.VolumeResourceRequirements': (resources) => roundUp(resources, ['limits', 'requests']),
  'core.v1.PersistentVolumeSpec': (spec) => roundUp(spec, ['capacity']),
  'core.v1.LimitRangeItem': (item) => {
    roundUp(item, ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']);
    if (item.type !== 'Container') return;
    const normal = { ...objectAt(item.max), ...objectAt(item.default) };
    const request = { ...objectAt(item.min), ...normal, ...objectAt(item.defaultRequest) };
    if (Object.keys(normal).length > 0) item.default = normal;
    if (Object.keys(request).length > 0) item.defaultRequest = request;
  },
  'core.v1.NodeSpec': (spec) => {
    const { podCIDR, podCIDRs } = spec;
    if (!isZero(podCIDR) && podCIDRs === undefined) spec.podCIDRs = [podCIDR ?? ''];
    if (isZero(podCIDR) && Array.isArray(podCIDRs)) spec.podCIDR = podCIDRs[0] ?? '';
  },
  'core.v1.NodeStatus': (status) => {
    roundUp(status, ['capacity', 'allocatable']);
    if (isJsonObject(status.capacity)) status.allocatable ??= { ...status.capacity };
  },
  'rbac.v1.Subject': (subject) => {
    const named = subject.kind === 'User' || subject.kind === 'Group';
    if (named && isZero(subject.apiGroup)) subject.apiGroup = 'rbac.authorization.k8s.io';
  },
};

/** The number of millionths or billionths in a thousandth, by suffix. */
const SMALL: Readonly<Record<string, number>> = { u: 1_000, n: 1_000_000 };

/** Rounds amounts of resources up to whole thousandths. */
function roundUp(holder: JsonObject, fields: readonly string[]): void {
  for (const field of fields) {
    const amounts = holder[field];
    for (const [name, amount] of Object.entries(isJsonObject(amounts) ? amounts : {})) {
      const unit = SMALL[String(amount).slice(-1)];
      if (isJsonObject(amounts) && unit !== undefined) {
        amounts[name] = canonicalQuantity(`${Math.ceil(Number(String(amount).slice(0, -1)) / unit)}m`) ?? '0';
      }
    }
  }
}
