import { isJsonObject, type JsonObject, objectAt } from '../../../json/index.ts';
import type { Sender, TypeRules } from './rules.ts';

/** What is asked for is asked once; who decides says when, and so since when it is so. */
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

/** The requesting user is the caller, whatever the body says. */
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

/** Since when a condition is as it is: as before, else since it was updated. */
function sinceOf({ type, status, lastUpdateTime }: JsonObject, old: JsonObject): JsonObject {
  const { conditions } = objectAt(old.status);
  const before = (Array.isArray(conditions) ? conditions : []).map(objectAt);
  const same = before.find((one) => one.type === type && one.status === status);
  const since = same?.lastTransitionTime ?? lastUpdateTime;
  return since === undefined ? {} : { lastTransitionTime: since };
}
