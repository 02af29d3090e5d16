import type { Answer, Call } from '../http/index.ts';

type Verb = (call: Call) => Promise<Answer>;

/** A verb on an object, or on its `/scale`. */
export function orScale(verb: Verb, ofScale: Verb): Verb {
  return (call) => (call.route.subresource === 'scale' ? ofScale(call) : verb(call));
}
