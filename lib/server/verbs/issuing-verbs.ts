import type { Verbs } from '../http/index.ts';
import { methodNotAllowed } from '../status/index.ts';

/** What a function does that issues tokens of service accounts, and says whose they are; and nothing else. */
export const issuingVerbs: Verbs = {
  create: async (call) => {
    const { type, subresource } = call.route;
    if (type.kind === 'TokenReview') return (await import('./create-review.ts')).createReview(call);
    if (type.resource !== 'serviceaccounts' || subresource !== 'token') throw methodNotAllowed();
    return (await import('./request-token.ts')).requestToken(call);
  },
};
