/** What of the stack an emulator may be unable to do. */
export type Feature =
  | 'authorizer'
  | 'gateway-responses'
  | 'streaming'
  | 'leading-keys'
  | 'batches'
  | 'dashboard'
  | 'log-groups'
  | 'custom-resources'
  | 'metric-math'
  | 'auto-scaling';

/** What an emulator cannot do, each with what goes wrong and what is deployed there instead. */
export type Gaps = Readonly<Partial<Record<Feature, string>>>;

const NO_AUTO_SCALING =
  'AWS::ApplicationAutoScaling is none of its services; capacity that is provisioned stays at its minimum';

/**
 * The emulators that the stack can be deployed to with `-c emulator=<name>`. Nobody edits code for one: what it
 * cannot do is here and nowhere else, goes into the template's metadata, and is listed in docs/deploy.
 */
const EMULATORS: Readonly<Record<string, Gaps>> = {
  // 1.5.33
  ministack: {
    streaming: 'a STREAM integration answers 500; every GET is buffered, and a watch is a long poll',
    'leading-keys':
      'the condition key dynamodb:LeadingKeys is never set, so no grant under it holds; a function that may put or update some rows may put or update any',
    batches:
      'a batch asks for an action that AWS does not know, such as sqs:SendMessageBatch; that is granted beside sqs:SendMessage, and so for each',
    'metric-math':
      'an alarm on a metric that is computed of others is not known; the alarm of the errors of the authorizer counts refused tokens as well, from 100 on',
    'auto-scaling': NO_AUTO_SCALING,
  },
  // 4.14
  localstack: {
    authorizer:
      'AWS::ApiGateway::Authorizer is none of its resource types, and its gateway asks no authorizer; read, write and place ask for the login by themselves',
    'gateway-responses':
      'the templates of gateway responses are not applied; every method leads to a function, which answers as Kubernetes does',
    streaming:
      'the URI of a STREAM integration is cut wrongly; every GET is buffered, and a watch is a long poll',
    dashboard: 'AWS::CloudWatch::Dashboard is none of its resource types; there is no dashboard',
    'log-groups':
      "the LoggingConfig of a function is ignored; the stack's log groups stay empty, and those that it makes by itself stay after `cdk destroy`",
    'custom-resources':
      'they are of its paid editions alone, and nothing is called for them; `subscribe` of @winnow-dev/cdk is refused, and Winnow does not compare the settings of deployments',
    'auto-scaling': NO_AUTO_SCALING,
  },
};

export const emulators: readonly string[] = Object.keys(EMULATORS);

/** What the named emulator cannot do; nothing without a name. Throws for one that is not known. */
export function gapsOf(emulator: string | undefined): Gaps {
  if (emulator === undefined) return {};
  const gaps = EMULATORS[emulator];
  if (gaps === undefined) {
    throw new Error(`there is no emulator ${emulator}; known are ${emulators.join(', ')}`);
  }
  return gaps;
}
