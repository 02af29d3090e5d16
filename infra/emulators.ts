/** A feature of the stack that an emulator may lack. */
export type Feature =
  | 'authorizer'
  | 'gateway-responses'
  | 'streaming'
  | 'leading-keys'
  | 'batches'
  | 'dashboard'
  | 'log-groups'
  | 'custom-resources'
  | 'metric-filters'
  | 'auto-scaling';

/** The features that an emulator lacks, each with the effect, and what is deployed instead. */
export type Gaps = Readonly<Partial<Record<Feature, string>>>;

const NO_METRIC_FILTERS =
  'its AWS::Logs::MetricFilter was not tried; faults are only in the logs, and set off no alarm';
const NO_AUTO_SCALING = 'it has no AWS::ApplicationAutoScaling; provisioned capacity stays at its minimum';

/**
 * The emulators to which the stack can be deployed with `-c emulator=<name>`. This table is the only place that lists
 * the features that they lack. The template's metadata and docs/deploy repeat them.
 */
const EMULATORS: Readonly<Record<string, Gaps>> = {
  // 1.5.33
  ministack: {
    streaming: 'its STREAM integration answers 500; every GET is buffered, and a watch is a long poll',
    'leading-keys':
      'it never sets the condition key dynamodb:LeadingKeys, so no permission with that key applies; a function that may put or update some rows may put or update any',
    batches:
      'for a batch it checks an action that AWS does not have, such as sqs:SendMessageBatch; the roles also allow these actions',
    'metric-filters': NO_METRIC_FILTERS,
    'auto-scaling': NO_AUTO_SCALING,
  },
  // 4.14
  localstack: {
    authorizer:
      'it has no AWS::ApiGateway::Authorizer, and its gateway calls no authorizer; read, write and place authenticate requests themselves',
    'gateway-responses':
      'it ignores the templates of gateway responses; every method has a route to a function, which answers as Kubernetes does',
    streaming:
      'it parses the URI of a STREAM integration wrongly; every GET is buffered, and a watch is a long poll',
    dashboard: 'it has no AWS::CloudWatch::Dashboard; there is no dashboard',
    'log-groups':
      "it ignores the LoggingConfig of a function; the stack's log groups stay empty, and the log groups that it creates itself remain after `cdk destroy`",
    'metric-filters': NO_METRIC_FILTERS,
    'custom-resources':
      'only its paid editions support them, and it calls no function for them; `subscribe` of @winnow-dev/cdk throws, and Winnow does not compare the settings of deployments',
    'auto-scaling': NO_AUTO_SCALING,
  },
};

export const emulators: readonly string[] = Object.keys(EMULATORS);

/**
 * The features that an emulator lacks; empty without an emulator.
 *
 * @throws {Error} the emulator is unknown
 */
export function gapsOf(emulator: string | undefined): Gaps {
  if (emulator === undefined) return {};
  const gaps = EMULATORS[emulator];
  if (gaps === undefined) {
    throw new Error(`unknown emulator ${emulator}; use ${emulators.join(' or ')}`);
  }
  return gaps;
}
