import type { JsonObject } from '../../json/index.ts';
import type { Message } from '../fields/index.ts';
import { autoscalingDefaults } from './autoscaling.ts';
import { batchDefaults } from './batch.ts';
import { coreDefaults } from './core.ts';
import type { Defaults } from './defaults.ts';
import { isZero } from './is-zero.ts';
import { networkDefaults } from './network.ts';
import { podDefaults } from './pods.ts';
import { unconditional } from './unconditional.ts';
import { workloadDefaults } from './workloads.ts';

const CONDITIONAL: Defaults = {
  ...autoscalingDefaults,
  ...batchDefaults,
  ...coreDefaults,
  ...networkDefaults,
  ...podDefaults,
  ...workloadDefaults,
};

/**
 * Fills in what Kubernetes does, in one decoded message and those it makes in it; what it holds already is complete.
 * Done again, it changes nothing more.
 */
export function complete({ name, fields }: Message, decoded: JsonObject): void {
  const values = unconditional[name];
  if (values !== undefined) {
    for (const [field, value = null] of Object.entries(values)) {
      const given = decoded[field];
      const absent = fields.get(field)?.pointer ? given === undefined || given === null : isZero(given);
      if (absent || (Array.isArray(given) && given.length === 0)) decoded[field] = value;
    }
  }
  CONDITIONAL[name]?.(decoded);
}
