import { GUARDED } from '../../lib/guarded-settings/index.ts';
import {
  AUTHOR_LIFE,
  DEFAULT_REQUEST_RATE,
  DERIVABLE,
  HISTORY_DAYS,
  MOST_WATCHES,
  readAccountBound,
  readAuthorLife,
  readRequestRate,
  readServiceRange,
  SERVICE_RANGE,
  SUBSCRIBING_LIMITS,
} from '../../lib/platform/index.ts';
import { CAPACITY, UTILIZATION, UTILIZATIONS, WARM_WRITES } from '../billing.ts';
import { LOG_RETENTIONS } from '../log-retentions.ts';
import {
  choice,
  file,
  flag,
  integer,
  list,
  oneNumberOf,
  onlyContext,
  range,
  type Setting,
  someOf,
  text,
  textOr,
} from './setting.ts';
import type { Settings } from './settings.ts';

/** The log levels of Powertools. */
const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL', 'SILENT'] as const;

/**
 * Every setting of a deployment, in the order of the documentation.
 *
 * To add one:
 * 1. a field of `Settings` in `settings.ts`, with the type of its value;
 * 2. an entry here: its kind (`flag`, `text`, `choice`, …), a description in plain words, and a page with more about
 *    it;
 * 3. `npm run settings`, which writes its row in docs/deploy/README.md, and the schema of winnow.config.json;
 * 4. a field of the same name in `WinnowProps` (infra/cdk/winnow.ts). If the construct takes another form of the
 *    value,
 *    such as the content of a file, convert it in `infra/read-props.ts`;
 * 5. an invalid value of it, in test/unit/infra/settings.test.ts. The compiler and that test report what is missing.
 */
export const SETTINGS = {
  stackName: textOr('Winnow', 'The name of the stack. Several stacks can live in one account and region.'),
  prefix: text(
    'The prefix of the names of Subscription queues: up to 24 lower-case letters, digits and hyphens.',
    {
      shownFallback: "the stack's name in lower case",
    },
  ),
  principals: list('ARNs of the IAM users and roles that may do everything.', {
    shownFallback: 'the principal that deploys',
    page: '../security.md',
  }),
  members: list(
    'ARNs of further IAM users and roles, and ids of accounts, that can log in; `own` is the account of the stack. AccessEntries, roles and bindings decide what they may do.',
    { page: '../access.md#who-is-who' },
  ),
  streaming: flag(
    true,
    'Stream answers. Without streaming, answers are buffered and a watch is a long poll.',
  ),
  destroyable: flag(false, 'Allow `cdk destroy` to delete the table with everything in it.'),
  dashboard: flag(false, 'Create a CloudWatch dashboard, and publish the metrics that it shows.', {
    page: 'costs.md#an-idle-stack',
  }),
  placement: flag(false, 'Bind pods to nodes as they are created.', {
    page: '../placement.md#pods-are-bound',
  }),
  schedulerName: text('With `placement`: bind pods that have this name in `spec.schedulerName`.', {
    shownFallback: '`winnow`',
  }),
  addedAffinity: file(
    'A file (YAML or JSON) with a node affinity that placement adds to the node affinity of every pod, or a KubeSchedulerConfiguration.',
    { page: '../placement.md#settings' },
  ),
  hardPodAffinityWeight: integer(
    [0, 100],
    'The weight of required affinities of running pods in the score of nodes, from 0 to 100.',
    { shownFallback: '`1`' },
  ),
  logLevel: choice(
    LOG_LEVELS,
    undefined,
    'The least severe level that the functions log: `DEBUG`, `WARN`, ….',
    {
      shownFallback: '`INFO`',
    },
  ),
  derived: someOf(
    DERIVABLE,
    'The data that Winnow derives from objects: `status`, `endpointslices`, `leases`. With `namespaces`, only in namespaces whose label `winnow.dev/derived` asks for it.',
    { page: '../derived.md' },
  ),
  serviceClusterIPRange: text(
    'The IPv4 network, from /12 to /29, from which Services get a `clusterIP`, like `--service-cluster-ip-range` of kube-apiserver.',
    { shownFallback: `\`${SERVICE_RANGE}\``, page: '../api.md#pods', check: readServiceRange },
  ),
  tableStream: text(
    'The ARN of the stream of an existing table, as `winnow restore` prints it. The stack uses that table and creates none.',
    { page: '../runbook.md#restore' },
  ),
  key: text(
    '`managed` encrypts table and queues with a KMS key that the stack creates. Or the ARN of your own KMS key.',
    { shownFallback: 'keys of AWS', page: '../security.md#a-key-of-your-own' },
  ),
  webhooks: file(
    'A file (YAML or JSON) with the hosts, Lambda functions and Services that admission webhooks may name.',
    { page: '../policies.md#webhooks' },
  ),
  auditPolicy: file(
    'A file (YAML or JSON) with an audit policy, which selects the requests for the audit log.',
    {
      page: '../audit.md',
    },
  ),
  auditQueue: text(
    'With `auditPolicy`: the ARN of a standard queue in the same region that also receives the audit events.',
    { page: '../audit.md#to-a-queue' },
  ),
  auditLogRetention: oneNumberOf(
    LOG_RETENTIONS,
    'With `auditPolicy`: store the audit log for this number of days in its own log group, which stays when the stack is deleted.',
    { shownFallback: "30, in the functions' log groups", page: '../audit.md#a-log-group-that-stays' },
  ),
  auditLogKey: text(
    'With `auditLogRetention`: `managed` encrypts that log group with a KMS key that the stack creates. Or the ARN of your own KMS key.',
    { shownFallback: 'a key of AWS', page: '../audit.md#a-log-group-that-stays' },
  ),
  authenticationConfig: file(
    'A file (YAML or JSON) with an AuthenticationConfiguration: the OpenID Connect issuers whose tokens can log in, in addition to AWS principals.',
    { page: '../security.md#tokens-of-your-own-issuers' },
  ),
  serviceAccountTokens: flag(
    false,
    'Issue tokens for service accounts (`kubectl create token`). Their KMS key costs $1 a month. It is deleted when you disable this setting.',
    { page: '../security.md#tokens-of-service-accounts' },
  ),
  serviceAccountAdmission: flag(
    true,
    "With `serviceAccountTokens`: pods run as service accounts. Each namespace has an account `default`, and Kubernetes' ServiceAccount admission checks and completes each new pod.",
    { page: '../security.md#pods-run-as-service-accounts' },
  ),
  canary: flag(false, 'Test the deployment every minute, with an alarm.', {
    page: '../architecture/canary.md',
  }),
  historyDays: integer(
    [HISTORY_DAYS.least, HISTORY_DAYS.most],
    'Days for which later changes stay readable as history. Events, Leases and Canaries keep one.',
    { shownFallback: `\`${HISTORY_DAYS.least}\`` },
  ),
  watchesPerUser: integer([1, MOST_WATCHES], 'The most open watches of one user.', {
    shownFallback: 'no limit',
    page: '../security.md#open-watches',
  }),
  requestsPerUser: textOr(
    DEFAULT_REQUEST_RATE,
    'The requests per second and the burst of one user: `50/200`. `off` disables the limit. Administrators are exempt.',
    { page: '../security.md#a-budget-for-each-user', check: readRequestRate },
  ),
  consumers: text(
    'The accounts that may receive messages of Subscriptions: `own`, the account of the stack; `org:<id>`, all accounts of an organization; or account ids separated by commas, in addition to `own`.',
    { shownFallback: '`own`', page: '../consumers.md#which-accounts-may-receive', check: readAccountBound },
  ),
  enforceLimits: flag(
    false,
    'Apply `consumers`, `selectorBytes` and the tag of queues also to Subscriptions and Tallies from before an upgrade. Without this setting, they keep working, with a warning. Set it for a new deployment.',
    { page: '../consumers.md#after-an-upgrade' },
  ),
  selectorBytes: integer([64, 150_000], 'The most bytes of one selector of a Subscription or a Tally.', {
    shownFallback: `\`${SUBSCRIBING_LIMITS.selectorBytes}\``,
    page: '../api.md#limits-of-subscriptions',
  }),
  selectorBytesPerNamespace: integer(
    [64, 2 ** 26],
    'The most bytes of all selectors of Subscriptions in one namespace, and of all selectors of Tallies.',
    { shownFallback: `\`${SUBSCRIBING_LIMITS.selectorBytesPerNamespace}\`` },
  ),
  selectorBytesPerCollection: integer(
    [64, 2 ** 26],
    'The most bytes of all selectors of Subscriptions and Tallies that select from one resource type.',
    { shownFallback: `\`${SUBSCRIBING_LIMITS.selectorBytesPerCollection}\`` },
  ),
  subscriptionsPerNamespace: integer([1, 10_000], 'The most Subscriptions in one namespace.', {
    shownFallback: `\`${SUBSCRIBING_LIMITS.subscriptionsPerNamespace}\``,
  }),
  talliesPerNamespace: integer([1, 10_000], 'The most Tallies in one namespace.', {
    shownFallback: `\`${SUBSCRIBING_LIMITS.talliesPerNamespace}\``,
  }),
  authorNotSeenAfter: text(
    'Stop delivery of a Subscription after its author has made no request for this time: `30d`, `12h`, `90s`. It does not apply to service accounts, IAM principals and administrators.',
    {
      shownFallback: `\`${AUTHOR_LIFE}\``,
      page: '../access.md#users-who-are-not-seen-any-more',
      check: readAuthorLife,
    },
  ),
  requestRate: integer(
    [1, 10_000],
    'The requests per second that API Gateway accepts from all users together. It answers further requests with 429.',
    { shownFallback: '`1000`', page: '../security.md#the-way-to-the-api' },
  ),
  requestBurst: integer(
    [1, 5_000],
    'The burst of requests that API Gateway accepts from all users together.',
    {
      shownFallback: '`2000`',
      page: '../security.md#the-way-to-the-api',
    },
  ),
  vpcEndpoints: list(
    'Ids of interface VPC endpoints for `execute-api`. With them the API is private: only these endpoints reach it.',
    { shownFallback: 'a public endpoint', page: '../security.md#the-way-to-the-api' },
  ),
  allowedSources: list(
    'Networks such as `203.0.113.0/24` from which requests may come; with `vpcEndpoints` also ids of VPCs.',
    { shownFallback: 'everywhere', page: '../security.md#the-way-to-the-api' },
  ),
  webAcl: text('The ARN of a regional web ACL of AWS WAF for the API.', {
    page: '../security.md#the-way-to-the-api',
  }),
  reservedConcurrency: textOr(
    'off',
    'The Lambda concurrency to reserve for each function, which is also its limit: `off`, `on`, or numbers such as `authorizer=10,read=200`.',
    { page: '../security.md#reserved-concurrency' },
  ),
  billing: choice(
    ['on-demand', 'provisioned'],
    'on-demand',
    "With `provisioned`, the table's capacity costs money by the hour and follows its use.",
    { page: 'costs.md#provisioned-capacity' },
  ),
  readCapacity: range(
    CAPACITY,
    'With `billing=provisioned`: the minimum and the maximum of read units per second of the table. Each of its 17 indexes has a fifth of the minimum, and the same maximum.',
  ),
  writeCapacity: range(CAPACITY, 'The same limits for write units per second.'),
  targetUtilization: integer(
    UTILIZATIONS,
    'With `billing=provisioned`: the target utilization of the capacity, in percent.',
    { shownFallback: `\`${UTILIZATION}\`` },
  ),
  warmWriteUnits: integer(
    WARM_WRITES,
    'The write units per second that the table takes at once. A new table takes 4,000 and grows with its use. A raise costs money once, and DynamoDB lowers it never.',
    { shownFallback: '`4000`', page: '../architecture/limits.md#the-ceilings-of-one-collection' },
  ),
  configFile: onlyContext(
    file('Another settings file, for another stack. Only on the command line.', {
      shownFallback: '`winnow.config.json`',
    }),
  ),
  confirmChange: onlyContext(
    someOf(
      GUARDED,
      'Guarded settings that this deployment may change. Without this setting, a deployment fails if it would use another table, drop a key, remove an administrator, or disable audit. Only on the command line.',
      { page: '../runbook.md#a-deployment-was-refused' },
    ),
  ),
  emulator: text('`ministack` or `localstack`: omit the features that this emulator lacks. Never on AWS.'),
  stsEndpoint: text(
    'The endpoint of an emulator whose STS checks logins, as its functions reach it: on loopback, or `localhost.localstack.cloud` for LocalStack. Never on AWS.',
  ),
} satisfies { readonly [Name in keyof Settings]: Setting<Settings[Name]> };
