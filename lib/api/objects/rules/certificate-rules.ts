import { isJsonObject, type JsonObject, objectAt } from '../../../store/index.ts';
import type { TypeRules } from './type-rules.ts';

/** Kubernetes says by itself who asks; nobody says so here. */
const ASKED_BY = ['username', 'uid', 'groups', 'extra'];

/** What is asked for is asked once; who decides says when, and so since when it is so. */
export const certificateRules: TypeRules = {
  prepare: (body, old) => {
    if (old === undefined) return { ...body, spec: withoutAsker(objectAt(body.spec)) };
    const { conditions } = objectAt(body.status);
    const asked = old.spec === undefined ? body : { ...body, spec: old.spec };
    if (!Array.isArray(conditions)) return asked;
    const dated = conditions.filter(isJsonObject).map((one) => ({ ...sinceOf(one, old), ...one }));
    return { ...asked, status: { ...objectAt(body.status), conditions: dated } };
  },
};

function withoutAsker(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !ASKED_BY.includes(field)));
}

/** Since when a condition is as it is: as before, else since it was updated. */
function sinceOf({ type, status, lastUpdateTime }: JsonObject, old: JsonObject): JsonObject {
  const { conditions } = objectAt(old.status);
  const before = (Array.isArray(conditions) ? conditions : []).map(objectAt);
  const same = before.find((one) => one.type === type && one.status === status);
  const since = same?.lastTransitionTime ?? lastUpdateTime;
  return since === undefined ? {} : { lastTransitionTime: since };
}
