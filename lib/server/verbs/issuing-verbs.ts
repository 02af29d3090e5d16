import type { Verbs } from '../http/index.ts';
import { methodNotAllowed } from '../status/index.ts';

/** The verbs of the function that issues and reviews tokens of service accounts. The function has no other verbs. */
export const issuingVerbs: Verbs = {
  create: async (call) => {
    const { type, subresource } = call.route;
    if (type.kind === 'TokenReview') return (await import('./create-review.ts')).createReview(call);
    if (type.resource !== 'serviceaccounts' || subresource !== 'token') throw methodNotAllowed();
    return (await import('./tokens/index.ts')).requestToken(call);
  },
};
