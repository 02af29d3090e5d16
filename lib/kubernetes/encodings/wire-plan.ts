import type { Field, Message } from '../fields/index.ts';

/** A field, and the message that it is of. */
export interface Placed {
  readonly field: Field;
  readonly owner: Message;
}

/** What stands under each number of a message on the wire: a field, or a struct that JSON has inlined. */
export type WirePlan = Map<number, Placed | WirePlan>;

const plans = new WeakMap<Message, WirePlan>();

/** Made once for a message. */
export function wirePlanOf(message: Message): WirePlan {
  const known = plans.get(message);
  if (known !== undefined) return known;
  const plan: WirePlan = new Map();
  for (const field of message.fields.values()) {
    planWithin(plan, field.within).set(field.number, { field, owner: message });
  }
  plans.set(message, plan);
  return plan;
}

function planWithin(plan: WirePlan, [number, ...rest]: readonly number[]): WirePlan {
  if (number === undefined) return plan;
  const known = plan.get(number);
  const inner: WirePlan = known instanceof Map ? known : new Map();
  plan.set(number, inner);
  return planWithin(inner, rest);
}
