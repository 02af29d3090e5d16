import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/index.ts';
import { namedPrincipal } from '../../../login/index.ts';
import type { FieldError } from '../../../selectors/index.ts';
import type { TypeRules } from './rules.ts';

const FIELDS: readonly string[] = ['principal', 'username', 'groups'];
/** The prefix of names that only the server gives. */
const SYSTEM = 'system:';
/** The limits of name characters and groups of an entry. Kubernetes has none; logs, journal and messages hold both. */
const LONGEST = 256;
const MOST = 100;
/** Characters that would break a log line or a header. */
const CONTROL = /\p{Cc}/u;

/** The rules of AccessEntries. An entry gives names, which only an administrator may choose, to a user or a role. */
export const accessEntryRules: Required<Pick<TypeRules, 'validate'>> = {
  validate: ({ spec }) => {
    if (spec === undefined) return [{ type: 'Required', field: 'spec', detail: '' }];
    if (!isJsonObject(spec)) return [typeInvalid('spec', spec, 'must be an object')];
    const { username, groups = [] } = spec;
    return [
      ...unknown(spec),
      ...principalErrors(spec.principal),
      ...(username === undefined ? [] : nameErrors('spec.username', username)),
      ...groupsErrors(groups),
    ];
  },
};

function unknown(spec: JsonObject): FieldError[] {
  return Object.keys(spec)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({ type: 'Invalid', field: `spec.${field}`, value: field, detail: 'unknown field' }));
}

function principalErrors(value: JsonValue | undefined): FieldError[] {
  const field = 'spec.principal';
  if (value === undefined) return [{ type: 'Required', field, detail: 'the ARN of an IAM user or role' }];
  if (typeof value !== 'string') return [typeInvalid(field, value, 'must be a string')];
  const named = namedPrincipal(value);
  if ('fault' in named) return [{ type: 'Invalid', field, value, detail: named.fault }];
  if (/:(?:user|role)\//.test(named.arn)) return [];
  const detail = 'must be the ARN of an IAM user or role; an entry for a whole account is not supported';
  return [{ type: 'Invalid', field, value, detail }];
}

function groupsErrors(value: JsonValue): FieldError[] {
  const field = 'spec.groups';
  if (!Array.isArray(value)) return [typeInvalid(field, value, 'must be a list of names')];
  if (value.length > MOST) {
    return [{ type: 'TooMany', field, value: value.length, detail: `must have at most ${MOST} items` }];
  }
  return value.flatMap((group, at): FieldError[] => {
    const path = `${field}[${at}]`;
    if (value.indexOf(group) < at) return [{ type: 'Duplicate', field: path, value: group, detail: '' }];
    return nameErrors(path, group);
  });
}

function nameErrors(field: string, value: JsonValue): FieldError[] {
  if (typeof value !== 'string') return [typeInvalid(field, value, 'must be a string')];
  if (value === '') return [{ type: 'Required', field, detail: 'must not be empty' }];
  const wrong = [
    ...(value.startsWith(SYSTEM)
      ? [`must not begin with ${SYSTEM}, because the server reserves these names`]
      : []),
    ...(value.length > LONGEST ? [`must have at most ${LONGEST} characters`] : []),
    ...(CONTROL.test(value) ? ['must have no control characters'] : []),
  ];
  return wrong.map((detail) => ({ type: 'Invalid', field, value, detail }));
}

function typeInvalid(field: string, value: JsonValue, detail: string): FieldError {
  return { type: 'TypeInvalid', field, value, detail };
}
