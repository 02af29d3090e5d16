import { isJsonObject, type JsonObject, objectAt } from '../../../json/index.ts';
import type { Sender, TypeRules } from './rules.ts';

/** The rules of CertificateSigningRequests. The spec never changes. Conditions get their transition times. */
export const certificateRules: Pick<Required<TypeRules>, 'sentBy' | 'prepare'> = {
  sentBy: (body, user) => ({ ...body, spec: askedBy(objectAt(body.spec), user) }),
  prepare: (body, old) => {
    if (old === undefined) return body;
    const { conditions } = objectAt(body.status);
    const asked = old.spec === undefined ? body : { ...body, spec: old.spec };
    if (!Array.isArray(conditions)) return asked;
    const dated = conditions.filter(isJsonObject).map((one) => ({ ...sinceOf(one, old), ...one }));
    return { ...asked, status: { ...objectAt(body.status), conditions: dated } };
  },
};

/** The spec with the caller as its requesting user, instead of the one in the body. */
function askedBy(spec: JsonObject, { username, uid, groups, extra }: Sender): JsonObject {
  const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...asked } = spec;
  return {
    ...asked,
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined ? {} : { extra: { ...extra } as JsonObject }),
  };
}

/** The transition time of a condition: the old one if its status is the same, else its update time. */
function sinceOf({ type, status, lastUpdateTime }: JsonObject, old: JsonObject): JsonObject {
  const { conditions } = objectAt(old.status);
  const before = (Array.isArray(conditions) ? conditions : []).map(objectAt);
  const same = before.find((one) => one.type === type && one.status === status);
  const since = same?.lastTransitionTime ?? lastUpdateTime;
  return since === undefined ? {} : { lastTransitionTime: since };
}
