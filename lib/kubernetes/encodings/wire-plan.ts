import type { Field, Message } from '../fields/index.ts';

/** A field and the message that it belongs to. */
export interface Placed {
  readonly field: Field;
  readonly owner: Message;
}

/** The fields of a message by wire number: each is a field, or a struct that JSON inlines. */
export type WirePlan = Map<number, Placed | WirePlan>;

const plans = new WeakMap<Message, WirePlan>();

/** Returns the plan of a message, which is computed once. */
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
