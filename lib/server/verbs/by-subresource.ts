import type { Answer, Call } from '../http/index.ts';

type Verb = (call: Call) => Promise<Answer>;

/** A verb on an object, and what it is on those of its subresources that are not the object seen in part. */
export function bySubresource(verb: Verb, others: Readonly<Partial<Record<string, Verb>>>): Verb {
  return (call) => (others[call.route.subresource] ?? verb)(call);
}
