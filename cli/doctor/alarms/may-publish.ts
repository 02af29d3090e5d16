interface Statement {
  readonly Effect?: string;
  readonly Principal?: unknown;
  readonly Action?: unknown;
  readonly Resource?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Whether a policy allows an action; `perhaps` if it has a condition that this code does not know. */
export type Verdict = 'yes' | 'perhaps' | 'no';

const CLOUDWATCH = 'cloudwatch.amazonaws.com';
/** The condition keys, in lower case, that CloudWatch sets when it publishes, and their values. */
const KEYS: Readonly<Record<string, (alarm: string) => string>> = {
  'aws:sourceaccount': accountOf,
  'aws:sourceowner': accountOf,
  'aws:sourcearn': (alarm) => alarm,
};
const OPERATORS = /^(String|Arn)(Equals|Like)(IgnoreCase)?$/;

/**
 * Whether a topic's policy allows CloudWatch to publish for an alarm.
 *
 * @param policy JSON, as SNS has it.
 * @param topic its ARN.
 * @param alarm its ARN.
 */
export function mayPublish(policy: string, topic: string, alarm: string): Verdict {
  const { Statement: statements = [] } = JSON.parse(policy) as { Statement?: Statement | Statement[] };
  const about = [statements].flat().filter((one) => isAbout(one, topic));
  const verdicts = (effect: string) =>
    about.filter(({ Effect }) => Effect === effect).map(({ Condition }) => holds(Condition, alarm));
  const [denied, allowed] = [verdicts('Deny'), verdicts('Allow')];
  if (denied.includes('yes')) return 'no';
  const best = allowed.includes('yes') ? 'yes' : allowed.includes('perhaps') ? 'perhaps' : 'no';
  return best === 'yes' && denied.includes('perhaps') ? 'perhaps' : best;
}

function isAbout({ Principal, Action, Resource }: Statement, topic: string): boolean {
  return (
    principals(Principal).some((one) => one === '*' || one === CLOUDWATCH) &&
    texts(Action).some((one) => matches(one.toLowerCase(), 'sns:publish')) &&
    texts(Resource).some((one) => matches(one, topic))
  );
}

function principals(principal: unknown): string[] {
  if (typeof principal !== 'object' || principal === null) return texts(principal);
  const { Service, AWS } = principal as Readonly<Record<string, unknown>>;
  return [...texts(Service), ...texts(AWS).filter((one) => one === '*')];
}

/** Whether a condition holds for CloudWatch, which uses TLS. */
function holds(condition: Statement['Condition'] = {}, alarm: string): Verdict {
  const verdicts = Object.entries(condition).flatMap(([operator, wanted]) =>
    Object.entries(wanted).map(([key, values]) => holdsOne({ operator, key, values: texts(values), alarm })),
  );
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('perhaps') ? 'perhaps' : 'yes';
}

interface Wanted {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
  readonly alarm: string;
}

function holdsOne({ operator, key, values, alarm }: Wanted): Verdict {
  if (operator === 'Bool' && key.toLowerCase() === 'aws:securetransport') {
    return values.includes('true') ? 'yes' : 'no';
  }
  const value = KEYS[key.toLowerCase()]?.(alarm);
  if (value === undefined || !OPERATORS.test(operator)) return 'perhaps';
  return values.some((one) => matches(one, value)) ? 'yes' : 'no';
}

/** Matches `*` with any text and `?` with one character. */
function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
}

function texts(value: unknown): string[] {
  return [value]
    .flat()
    .filter((one) => one !== undefined && one !== null)
    .map(String);
}

function accountOf(arn: string): string {
  return arn.split(':')[4] ?? '';
}
