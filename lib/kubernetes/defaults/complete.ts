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
 * Sets Kubernetes' defaults in one decoded message and in the messages that these defaults create. Its inner messages
 * are already complete. Idempotent.
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
