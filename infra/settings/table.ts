import { GUARDED } from '../../lib/guarded-settings/index.ts';
import {
  AUTHOR_LIFE,
  DEFAULT_REQUEST_RATE,
  DERIVABLE,
  MOST_WATCHES,
  readAccountBound,
  readAuthorLife,
  readRequestRate,
  readServiceRange,
  SERVICE_RANGE,
  SUBSCRIBING_LIMITS,
} from '../../lib/platform/index.ts';
import { CAPACITY, UTILIZATION, UTILIZATIONS } from '../billing.ts';
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

/** The levels that Powertools knows. */
const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL', 'SILENT'] as const;

/**
 * Every setting of a deployment, in the order of the documentation.
 *
 * To add one:
 * 1. a field of `Settings` in `settings.ts`, with the type of its value;
 * 2. an entry here: its kind (`flag`, `text`, `choice`, …), a description in plain words, and the page that says more;
 * 3. `npm run settings`, which writes its row into docs/deploy/README.md, and the schema of winnow.config.json;
 * 4. a field of the same name in `WinnowProps` (infra/cdk/winnow.ts). Where the construct takes another form of the
 *    value, such as the content of a file, convert it in `infra/read-props.ts`;
 * 5. a value that it refuses, in test/unit/infra/settings.test.ts.
 * The compiler and that test say what is missing.
 */
export const SETTINGS = {
  stackName: textOr('Winnow', 'The name of the stack. Several stacks can live in one account and region.'),
  prefix: text(
    'Begins the names of the queues of Subscriptions: up to 24 lower-case letters, digits and hyphens.',
    {
      shownFallback: "the stack's name in lower case",
    },
  ),
  principals: list('ARNs of the IAM users and roles that may do everything.', {
    shownFallback: 'the principal that deploys',
    page: '../security.md',
  }),
  members: list(
    'ARNs of IAM users and roles, and accounts, that can also log in; `own` is the account of the stack. AccessEntries, roles and bindings decide what they may do.',
    { page: '../access.md#who-is-who' },
  ),
  streaming: flag(true, 'Stream answers. Without it answers are buffered, and a watch is a long poll.'),
  destroyable: flag(false, 'Let `cdk destroy` delete the table with everything in it.'),
  dashboard: flag(true, 'Make a CloudWatch dashboard. An account has three of them free of charge.', {
    page: 'costs.md#an-idle-stack',
  }),
  placement: flag(false, 'Bind pods to nodes as they are created.', {
    page: '../placement.md#pods-are-bound',
  }),
  schedulerName: text('With `placement`: bind the pods that have this name in `spec.schedulerName`.', {
    shownFallback: '`winnow`',
  }),
  addedAffinity: file(
    'A file (YAML or JSON) with a node affinity that every pod has in addition to its own when it is placed.',
    { page: '../placement.md#settings' },
  ),
  hardPodAffinityWeight: integer(
    [0, 100],
    'The weight that a required affinity of a running pod has for the placement of others, from 0 to 100.',
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
    'What Winnow derives from objects: `status`, `endpointslices`, `leases`. With `namespaces`, only in namespaces whose label `winnow.dev/derived` asks for it.',
    { page: '../derived.md' },
  ),
  serviceClusterIPRange: text(
    'The IPv4 network, from /12 to /29, from which Services get a `clusterIP`; as `--service-cluster-ip-range` of kube-apiserver.',
    { shownFallback: `\`${SERVICE_RANGE}\``, page: '../api.md#pods', check: readServiceRange },
  ),
  tableStream: text(
    'The ARN of the stream of an existing table, as `winnow restore` prints it. The stack uses that table and makes none.',
    { page: '../runbook.md#restore' },
  ),
  key: text(
    '`managed`: encrypt table and queues with a KMS key that the stack makes; or the ARN of a KMS key of yours.',
    { shownFallback: 'keys of AWS', page: '../security.md#a-key-of-your-own' },
  ),
  auditPolicy: file(
    'A file (YAML or JSON) with an audit policy: which requests Winnow writes to the audit log.',
    {
      page: '../audit.md',
    },
  ),
  auditQueue: text(
    'With `auditPolicy`: the ARN of a standard queue of the same region. It gets the audit events, too.',
    { page: '../audit.md#to-a-queue' },
  ),
  auditLogRetention: oneNumberOf(
    LOG_RETENTIONS,
    'With `auditPolicy`: for how many days the audit log is kept, in a log group of its own that stays when the stack is deleted.',
    { shownFallback: "30, in the functions' log groups", page: '../audit.md#a-log-group-that-stays' },
  ),
  auditLogKey: text(
    'With `auditLogRetention`: `managed`, to encrypt that log group with a KMS key that the stack makes; or the ARN of a KMS key of yours.',
    { shownFallback: 'a key of AWS', page: '../audit.md#a-log-group-that-stays' },
  ),
  authenticationConfig: file(
    'A file (YAML or JSON) with an AuthenticationConfiguration: the OpenID Connect issuers whose tokens can log in, in addition to AWS principals.',
    { page: '../security.md#tokens-of-your-own-issuers' },
  ),
  serviceAccountTokens: flag(
    false,
    'Issue tokens for service accounts (`kubectl create token`). Their KMS key costs $1 a month, and goes when this is switched off.',
    { page: '../security.md#tokens-of-service-accounts' },
  ),
  canary: flag(false, 'Let the deployment try itself every minute, with an alarm.', {
    page: '../architecture.md#what-is-tried-every-minute-createcanary',
  }),
  watchesPerUser: integer([1, MOST_WATCHES], 'How many watches one user may have open at once.', {
    shownFallback: 'any number',
    page: '../security.md#open-watches',
  }),
  requestsPerUser: textOr(
    DEFAULT_REQUEST_RATE,
    'How many requests a second one user may make, and how many at once: `50/200`. With `off` nothing is counted. Administrators are exempt.',
    { page: '../security.md#a-budget-for-each-user', check: readRequestRate },
  ),
  consumers: text(
    'Which accounts may receive what Subscriptions send: `own`, the account of the stack; `org:<id>`, all of an organization; or account numbers with commas between them, in addition to `own`.',
    { shownFallback: '`own`', page: '../consumers.md#which-accounts-may-receive', check: readAccountBound },
  ),
  enforceLimits: flag(
    false,
    'Apply `consumers`, the limit `selectorBytes` and the tag of queues also to Subscriptions and Tallies that were there before. Until then those keep working, with a warning. Set it for a new deployment.',
    { page: '../consumers.md#after-an-upgrade' },
  ),
  selectorBytes: integer(
    [64, 150_000],
    'How many bytes one selector of a Subscription or a Tally may take.',
    {
      shownFallback: `\`${SUBSCRIBING_LIMITS.selectorBytes}\``,
      page: '../api.md#limits-of-subscriptions',
    },
  ),
  selectorBytesPerNamespace: integer(
    [64, 2 ** 26],
    'How many bytes the selectors of the Subscriptions of one namespace may take together, and those of its Tallies.',
    { shownFallback: `\`${SUBSCRIBING_LIMITS.selectorBytesPerNamespace}\`` },
  ),
  selectorBytesPerCollection: integer(
    [64, 2 ** 26],
    'How many bytes the selectors of all Subscriptions and Tallies that select from one resource type may take together.',
    { shownFallback: `\`${SUBSCRIBING_LIMITS.selectorBytesPerCollection}\`` },
  ),
  subscriptionsPerNamespace: integer([1, 10_000], 'How many Subscriptions one namespace may have.', {
    shownFallback: `\`${SUBSCRIBING_LIMITS.subscriptionsPerNamespace}\``,
  }),
  talliesPerNamespace: integer([1, 10_000], 'How many Tallies one namespace may have.', {
    shownFallback: `\`${SUBSCRIBING_LIMITS.talliesPerNamespace}\``,
  }),
  authorNotSeenAfter: text(
    'Stop delivery of a Subscription that a user wrote (no service account, no IAM principal, no administrator) when Winnow has not seen that user for so long: `30d`, `12h`, `90s`.',
    {
      shownFallback: `\`${AUTHOR_LIFE}\``,
      page: '../access.md#users-who-are-not-seen-any-more',
      check: readAuthorLife,
    },
  ),
  requestRate: integer(
    [1, 10_000],
    'How many requests a second API Gateway takes of all users together, before it answers 429.',
    { shownFallback: '`1000`', page: '../security.md#the-way-to-the-api' },
  ),
  requestBurst: integer([1, 5_000], 'How many requests at once API Gateway takes of all users together.', {
    shownFallback: '`2000`',
    page: '../security.md#the-way-to-the-api',
  }),
  vpcEndpoints: list(
    'Ids of interface VPC endpoints for `execute-api`. The endpoint of the API is private then: only they lead to it.',
    { shownFallback: 'a public endpoint', page: '../security.md#the-way-to-the-api' },
  ),
  allowedSources: list(
    'Networks such as `203.0.113.0/24` from which requests may come; with `vpcEndpoints` also ids of VPCs.',
    { shownFallback: 'everywhere', page: '../security.md#the-way-to-the-api' },
  ),
  webAcl: text('The ARN of a regional web ACL of AWS WAF that is put in front of the API.', {
    page: '../security.md#the-way-to-the-api',
  }),
  reservedConcurrency: textOr(
    'off',
    'Lambda concurrency that is reserved for each function, and is also its cap: `off`, `on`, or numbers such as `authorizer=10,read=200`.',
    { page: '../security.md#reserved-concurrency' },
  ),
  billing: choice(
    ['on-demand', 'provisioned'],
    'on-demand',
    "`provisioned`: the table's capacity is paid for by the hour and follows its use.",
    { page: 'costs.md#provisioned-capacity' },
  ),
  readCapacity: range(
    CAPACITY,
    'With `billing=provisioned`: the least and the most read units a second of the table. Each of its 17 indexes has a fifth as the least, and the same as the most.',
  ),
  writeCapacity: range(CAPACITY, 'The same for write units.'),
  targetUtilization: integer(
    UTILIZATIONS,
    'With `billing=provisioned`: how much of the capacity is to be in use, in percent.',
    { shownFallback: `\`${UTILIZATION}\`` },
  ),
  configFile: onlyContext(
    file('Another file of settings, for another stack. Only on the command line.', {
      shownFallback: '`winnow.config.json`',
    }),
  ),
  confirmChange: onlyContext(
    someOf(
      GUARDED,
      'Settings of which this deployment may lose what they hold. Without it a deployment fails that would use another table, drop a key, remove an administrator, or switch off audit. Only on the command line.',
      { page: '../runbook.md#a-deployment-was-refused' },
    ),
  ),
  emulator: text('`ministack` or `localstack`: leave out what that emulator cannot do. Never on AWS.'),
  stsEndpoint: text(
    'The endpoint of an emulator, as its functions reach it, whose STS decides who can log in: on loopback, or for LocalStack at `localhost.localstack.cloud`. Never on AWS.',
  ),
} satisfies { readonly [Name in keyof Settings]: Setting<Settings[Name]> };
