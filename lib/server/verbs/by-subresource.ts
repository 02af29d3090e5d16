import type { Answer, Call } from '../http/index.ts';

type Verb = (call: Call) => Promise<Answer>;

/** A verb on objects, with other functions for the subresources in `others`. The rest show a part of the object. */
export function bySubresource(verb: Verb, others: Readonly<Partial<Record<string, Verb>>>): Verb {
  return (call) => (others[call.route.subresource] ?? verb)(call);
}
