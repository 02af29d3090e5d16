import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import type { TypeRules } from './rules.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** The rules of access grants. They have the same defaults as bindings. */
export const accessGrantRules: Required<Pick<TypeRules, 'prepare'>> = {
  prepare: (body) => {
    const { roleRef, subjects } = body;
    return {
      ...body,
      ...(isJsonObject(roleRef) && { roleRef: { ...roleRef, apiGroup: roleRef.apiGroup || GROUP } }),
      ...(Array.isArray(subjects) && { subjects: subjects.map(inGroup) }),
    };
  },
};

function inGroup(subject: JsonValue): JsonValue {
  const { kind, apiGroup } = objectAt(subject);
  const isNamed = (kind === 'User' || kind === 'Group') && !apiGroup;
  return isNamed ? ({ ...objectAt(subject), apiGroup: GROUP } as JsonObject) : subject;
}
