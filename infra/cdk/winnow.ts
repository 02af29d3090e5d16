import { Annotations, Stack } from 'aws-cdk-lib';
import type { IGrantable, IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { GuardedSetting } from '../../lib/guarded-settings/index.ts';
import { DEFAULT_REQUEST_RATE, type Derivable } from '../../lib/platform/index.ts';
import type { Provisioned } from '../billing.ts';
import { type Reservations, readReservations } from '../concurrency/index.ts';
import {
  Acknowledged,
  Alarms,
  Api,
  auditLogOf,
  Canary,
  Dashboard,
  DataKey,
  Derivation,
  DerivationPermissions,
  type DerivationPermissionsProps,
  type EntranceProps,
  EventSources,
  Functions,
  isOpen,
  Login,
  Outputs,
  Permissions,
  Queues,
  reserveConcurrency,
  ServiceAccountTokens,
  SettingsGuard,
  type SubscribingProps,
  Table,
  watchSetAside,
} from '../constructs/index.ts';
import { gapsOf } from '../emulators.ts';
import { Access, type GrantProps, principalArn } from './access.ts';
import { defaultPrefix, packedBundles } from './defaults.ts';
import { Subscription, type SubscriptionProps } from './subscription.ts';
import { SubscriptionProvider } from './subscription-provider.ts';
import { type KindDefinition, WinnowKind } from './winnow-kind.ts';

/** The props of {@link Winnow}. docs/deploy/README.md describes the settings of the same names. */
export interface WinnowProps extends SubscribingProps, EntranceProps {
  /** ARNs of the users and roles that may do everything. */
  readonly principals: readonly string[];
  /**
   * ARNs of users and roles, and ids of accounts, that can also log in, with the rights of AccessEntries, roles and
   * bindings; `own` is the stack's account. Default: none.
   */
  readonly members?: readonly string[] | undefined;
  /** The prefix of the names of subscriptions' queues: up to 24 lower-case letters, digits and hyphens. */
  readonly prefix?: string | undefined;
  /** Whether a GET streams its answer; without it a watch is a long poll. Default: true. */
  readonly streaming?: boolean | undefined;
  /** Whether the table is deleted with the stack; default: false. */
  readonly destroyable?: boolean | undefined;
  /** Whether to create a dashboard, and to publish the metrics that it shows; both cost money. Default: false. */
  readonly dashboard?: boolean | undefined;
  /** The least severe level that the functions log; default: `INFO`. */
  readonly logLevel?: string | undefined;
  /**
   * The data that Winnow derives from objects: `status` of workloads, `endpointslices` of services, `Ready` of pods by their
   * `leases`. With `namespaces`, only in namespaces whose label `winnow.dev/derived` asks for it. Default: nothing.
   */
  readonly derived?: readonly Derivable[] | undefined;
  /**
   * The network from which Services without an address get one, like kube-apiserver's `--service-cluster-ip-range`. If a
   * deployment changes the network, existing Services keep their addresses. Default: `10.96.0.0/12`.
   */
  readonly serviceClusterIPRange?: string | undefined;
  /** Whether to bind pods to nodes as they are created; default: false. */
  readonly placement?: boolean | undefined;
  /** The `spec.schedulerName` of the pods to bind; default: `winnow`. */
  readonly schedulerName?: string | undefined;
  /**
   * Parts of kube-scheduler's profile, for bindings and PlacementReviews, as JSON text: `addedAffinity` of
   * NodeAffinityArgs, `hardPodAffinityWeight` of InterPodAffinityArgs.
   */
  readonly schedulerProfile?: string | undefined;
  /**
   * The places that admission webhooks may name, as JSON text: `hosts`, `privateHosts`, `functions`, `services`. Without
   * it, Winnow refuses webhook configurations.
   */
  readonly webhooks?: string | undefined;
  /** The audit policy: a `Policy` of audit.k8s.io/v1 as JSON text. Without it Winnow writes no audit events. */
  readonly auditPolicy?: string | undefined;
  /** The ARN of a standard queue in the same region that also receives the audit events. */
  readonly auditQueue?: string | undefined;
  /**
   * The retention of the audit log in days, in its own log group, which stays when the stack is deleted. Without it,
   * audit events are in the log groups of the functions, which store them for a month and are deleted with the stack.
   */
  readonly auditLogRetention?: number | undefined;
  /** With `auditLogRetention`: `managed` for a KMS key of the stack, or the ARN of a KMS key. */
  readonly auditLogKey?: string | undefined;
  /**
   * Issuers whose tokens are accepted too: an `AuthenticationConfiguration` of apiserver.config.k8s.io as JSON text.
   */
  readonly authenticationConfig?: string | undefined;
  /** Whether to issue tokens for service accounts (`kubectl create token`), signed by a KMS key; default: false. */
  readonly serviceAccountTokens?: boolean | undefined;
  /** With `serviceAccountTokens`: whether pods run as service accounts, as in Kubernetes; default: true. */
  readonly serviceAccountAdmission?: boolean | undefined;
  /**
   * Whether to test the deployment every minute: a canary writes an object, lists it, and waits for its message.
   * Default: false.
   */
  readonly canary?: boolean | undefined;
  /**
   * The most open watches of one user. Each is a running function. Administrators are exempt. Default: no limit.
   */
  readonly watchesPerUser?: number | undefined;
  /**
   * Requests per second and burst of one user, over all functions; `off` for no limit. Administrators are exempt.
   * Default: `50/200`.
   */
  readonly requestsPerUser?: string | undefined;
  /** The time without a request of its author after which delivery of a Subscription stops; default: `30d`. */
  readonly authorNotSeenAfter?: string | undefined;
  /** The days for which Winnow keeps the history of objects, 1 to 35; default: 1. */
  readonly historyDays?: number | undefined;
  /**
   * The Lambda concurrency to reserve for each function, which is also its limit: `off` (the default), `on`, or
   * numbers such as `authorizer=10,read=200`.
   */
  readonly reservedConcurrency?: string | undefined;
  /** The write units per second that the table takes at once, at least 4,000. Default: 4,000. */
  readonly warmWriteUnits?: number | undefined;
  /** Provisioned capacity of the table; absent for on-demand billing. */
  readonly provisioned?: Provisioned | undefined;
  /**
   * The ARN of the stream of an existing table, as `winnow restore` prints it. The stack uses that table and creates
   * none.
   */
  readonly tableStream?: string | undefined;
  /**
   * The key of table and queues: `managed` for a KMS key of the stack, or the ARN of a KMS key. Default: keys of AWS.
   */
  readonly key?: string | undefined;
  /**
   * Guarded settings that this deployment may change: see `GuardedSetting`. If the prop is absent, a deployment fails
   * if it would use another table, drop a key, remove an administrator, or disable audit. Remove the prop after the
   * deployment.
   */
  readonly confirmChange?: readonly GuardedSetting[] | undefined;
  /** The folder that holds `<function>/index.mjs` for every function; default: the folder in the package. */
  readonly bundles?: string | undefined;
  /** An emulator's STS, on loopback. */
  readonly stsEndpoint?: string | undefined;
  /** The emulator to which the stack is deployed; see `emulators.ts`. */
  readonly emulator?: string | undefined;
}

/**
 * All of Winnow, once per stack. docs/architecture/README.md has the picture; `infra/constructs` defines the parts.
 */
export class Winnow extends Construct {
  /** The server in a kubeconfig. */
  readonly url: string;
  /** The cluster that tokens are signed for, as in `aws eks get-token --cluster-name`. */
  readonly clusterId: string;
  readonly #bundles: string;
  readonly #props: WinnowProps;
  readonly #login: Login;
  readonly #parts: readonly Construct[];
  readonly #api: Api;
  readonly #keyArn: string | undefined;
  readonly #access = new Map<string, Access>();
  #provider: SubscriptionProvider | undefined;

  /** @throws {Error} a prop is invalid. */
  constructor(scope: Construct, id: string, props: WinnowProps) {
    super(scope, id);
    const { destroyable = false, provisioned, logLevel, auditPolicy } = props;
    const { placement = false, schedulerName = 'winnow', schedulerProfile, serviceClusterIPRange } = props;
    const gaps = gapsOf(props.emulator);
    const metrics = (props.dashboard ?? false) && !gaps.dashboard;
    const bundles = props.bundles ?? packedBundles();
    const prefix = props.prefix ?? defaultPrefix(this);
    const streaming = (props.streaming ?? true) && !gaps.streaming;
    const dataKey = props.key && new DataKey(this, 'DataKey', { key: props.key, destroyable });
    const { key } = dataKey || {};
    const table = new Table(this, 'Storage', {
      destroyable,
      provisioned,
      warmWriteUnits: props.warmWriteUnits,
      key,
      stream: props.tableStream,
      gaps,
    });
    const queues = new Queues(this, 'Queues', { prefix, placement, key });
    const login = new Login(this, 'Login', { ...props, bundles, metrics, prefix, gaps });
    const placing = { schedulerName, schedulerProfile, serviceClusterIPRange };
    const { serviceAccountTokens = false, serviceAccountAdmission = true } = props;
    const serviceAccounts = serviceAccountTokens && serviceAccountAdmission;
    const logging = { logLevel, metrics };
    const shared = { bundles, table, queues, login, streaming, ...placing, serviceAccounts, ...logging };
    const { auditQueue, watchesPerUser, requestsPerUser = DEFAULT_REQUEST_RATE } = props;
    const { authorNotSeenAfter, historyDays, webhooks } = props;
    const auditLog = auditLogOf(this, props)?.logGroup;
    const counted = { watchesPerUser, requestsPerUser, authorNotSeenAfter, historyDays };
    const answering = { auditPolicy, auditQueue, auditLog, webhooks, ...counted, subscribing: props };
    const functions = new Functions(this, 'Functions', { ...shared, ...answering });
    const permissions = new Permissions(this, 'Permissions', {
      functions,
      table,
      queues,
      gaps,
      clusterId: login.clusterId,
      ...props,
    });
    const reservations = readReservations(props.reservedConcurrency ?? 'off');
    const sources = new EventSources(this, 'EventSources', { functions, table, queues, reservations });
    const derivation = this.#derive(props.derived ?? [], { functions, table, queues, gaps, reservations });
    const tokens = props.serviceAccountTokens
      ? new ServiceAccountTokens(this, 'ServiceAccountTokens', { functions, login, table })
      : undefined;
    const canary = props.canary ? new Canary(this, 'Canary', { functions, table, queues, gaps }) : undefined;
    watchSetAside(functions.reconcile, [...queues.allSetAside, derivation?.deadLetters]);
    const { issue } = tokens ?? {};
    const chosen = [derivation?.derive, issue, canary?.canary].filter((one) => one !== undefined);
    if (dataKey) dataKey.allow(...functions.all, ...chosen);
    const asking = login.function ? [login.function] : [];
    reserveConcurrency([...functions.all, ...chosen, ...asking], reservations);
    const api = new Api(this, 'Api', { ...props, functions, login, streaming, gaps, issue });
    if (!gaps['custom-resources']) {
      new SettingsGuard(this, 'Settings', { ...props, bundles, table, prefix, destroyable });
    }
    const alarms = new Alarms(this, 'Alarms', {
      api,
      functions,
      login,
      derivation,
      tokens,
      canary,
      gaps,
    });
    if (metrics) {
      const parts = { alarms, api, canary, derivation, functions, login, queues, table, tokens };
      new Dashboard(this, 'Dashboard', parts);
    }
    new Outputs(this, { api, table, queues, login, alarms, props });
    new Acknowledged({ api, functions, queues, canary });
    this.#bundles = bundles;
    this.#props = props;
    this.#login = login;
    this.#api = api;
    this.#keyArn = key?.keyArn;
    this.#parts = [table, queues, login, functions, permissions, sources, api];
    this.url = api.url;
    this.clusterId = login.clusterId;
    if (Object.keys(gaps).length > 0) Stack.of(this).templateOptions.metadata = { 'winnow:gaps': gaps };
    if (props.principals.length > 0) return;
    const message =
      'Nobody can log in: no deployer was found, and principals is not set. Use -c principals=<ARN>,…';
    Annotations.of(this).addWarningV2('winnow:nobody', message);
  }

  /** Makes a role an administrator, who may do everything. */
  grantAccess(role: IRole): void {
    this.#login.allow(role.roleArn);
  }

  /**
   * Adds a Subscription that is created, updated and deleted with the stack.
   *
   * @throws {Error} the emulator has no custom resources.
   */
  subscribe(id: string, props: SubscriptionProps): Subscription {
    const provider = this.#providerOf(id, 'the Subscription');
    const subscription = new Subscription(this, id, { ...props, provider, keyArn: this.#keyArn });
    // The Subscription is deleted before the parts that delete its queue.
    subscription.node.addDependency(...this.#parts, provider);
    return subscription;
  }

  /**
   * Adds a custom kind that is defined and changed with the stack. It stays when the stack is deleted. A deployment fails
   * if stored objects do not fit the changed schema.
   *
   * @throws {Error} the object is no CustomResourceDefinition, or the emulator has no custom resources.
   */
  define(id: string, definition: KindDefinition): WinnowKind {
    const provider = this.#providerOf(id, 'the definition');
    const kind = new WinnowKind(this, id, { provider, definition });
    kind.node.addDependency(...this.#parts, provider);
    return kind;
  }

  /**
   * Grants a role or a user the ClusterRole `view`, with an AccessEntry and a binding that are created, updated and
   * deleted with the stack.
   *
   * @throws {Error} the grantee has no ARN, or the emulator has no custom resources.
   */
  grantRead(grantee: IGrantable, props: GrantProps = {}): void {
    this.#accessOf(grantee).bind('view', props);
  }

  /** Grants a role or a user the ClusterRole `edit`; see {@link Winnow.grantRead}. */
  grantWrite(grantee: IGrantable, props: GrantProps = {}): void {
    this.#accessOf(grantee).bind('edit', props);
  }

  #accessOf(grantee: IGrantable): Access {
    const principal = principalArn(grantee);
    const known = this.#access.get(principal);
    if (known !== undefined) return known;
    const provider = this.#providerOf(this.node.path, 'an AccessEntry and a binding');
    const access = new Access(this, `Access${this.#access.size + 1}`, { provider, principal });
    access.node.addDependency(...this.#parts, provider);
    this.#login.admit(principal);
    this.#access.set(principal, access);
    return access;
  }

  /** @throws {Error} the emulator has no custom resources; the user must apply `what` by hand. */
  #providerOf(id: string, what: string): SubscriptionProvider {
    const { emulator } = this.#props;
    if (gapsOf(emulator)['custom-resources'] !== undefined) {
      throw new Error(`${id}: ${emulator} has no custom resources: apply ${what} with kubectl`);
    }
    if (!isOpen(this.#props)) {
      throw new Error(
        `${id}: with vpcEndpoints or allowedSources the function that applies ${what} cannot reach the API: apply it with kubectl`,
      );
    }
    this.#provider ??= this.#makeProvider();
    return this.#provider;
  }

  /** Creates the parts that derive data; undefined if the deployment derives nothing. */
  #derive(
    derived: readonly Derivable[],
    parts: Pick<DerivationPermissionsProps, 'functions' | 'table' | 'queues' | 'gaps'> & {
      readonly reservations: Reservations;
    },
  ): Derivation | undefined {
    if (derived.length === 0) return undefined;
    const derivation = new Derivation(this, 'Derivation', { ...parts, derived });
    new DerivationPermissions(this, 'DerivationPermissions', { ...parts, derivation });
    return derivation;
  }

  #makeProvider(): SubscriptionProvider {
    const { stsEndpoint, logLevel } = this.#props;
    const { restApiId, deploymentStage } = this.#api.rest;
    // An emulator serves its gateway at a path of its one endpoint, so that DNS is not needed.
    const emulated = `${stsEndpoint}/_aws/execute-api/${restApiId}/${deploymentStage.stageName}/`;
    const provider = new SubscriptionProvider(this, 'Subscriptions', {
      bundles: this.#bundles,
      logLevel,
      url: stsEndpoint === undefined ? this.url : emulated,
      clusterId: this.clusterId,
    });
    this.grantAccess(provider.role);
    return provider;
  }
}
