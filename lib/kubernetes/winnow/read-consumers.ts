import type { JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';

const FIELD = 'spec.consumers';
/** The maximum number of principals that SQS accepts in a policy. */
const MOST = 50;
/** Matches the ARN of a user, a role or an account; never a wildcard. */
const PRINCIPAL = /^arn:[a-z0-9-]+:iam::\d{12}:(root|(user|role)\/[\w+=,.@/-]{1,512})$/;

/** Reads the consumers of a Subscription, by ARN. Errors are noted. */
export function readConsumers(
  value: JsonValue | undefined,
  note: (errors: readonly FieldError[]) => void,
): readonly string[] {
  if ((value ?? null) === null) return [];
  if (!Array.isArray(value)) {
    note([{ type: 'TypeInvalid', field: FIELD, value, detail: 'must be a list' }]);
    return [];
  }
  if (value.length > MOST) {
    note([invalid(FIELD, value.length, `SQS takes at most ${MOST} principals in a policy`)]);
  }
  return value.map((one, index) => {
    const field = `${FIELD}[${index}]`;
    if (typeof one !== 'string' || !PRINCIPAL.test(one)) {
      note([invalid(field, one, 'must be the ARN of an IAM user, of a role, or of an account (…:root)')]);
    } else if (value.indexOf(one) !== index) {
      note([invalid(field, one, 'is named twice')]);
    }
    return String(one);
  });
}

const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value,
  detail,
});
