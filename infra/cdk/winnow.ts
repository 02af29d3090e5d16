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
} from '../constructs/index.ts';
import { gapsOf } from '../emulators.ts';
import { Access, type GrantProps, principalArn } from './access.ts';
import { defaultPrefix, packedBundles } from './defaults.ts';
import { Subscription, type SubscriptionProps } from './subscription.ts';
import { SubscriptionProvider } from './subscription-provider.ts';

export interface WinnowProps extends SubscribingProps, EntranceProps {
  /** ARNs of the users and roles that may do everything. */
  readonly principals: readonly string[];
  /**
   * Who else is let in, to what AccessEntries, roles and bindings give them: ARNs of users and roles, and accounts, `own` being
   * the stack's. Nobody, unless said otherwise.
   */
  readonly members?: readonly string[] | undefined;
  /** Begins the name of every queue made for a subscription: at most 24 lower-case letters, digits and hyphens. */
  readonly prefix?: string | undefined;
  /** Whether a GET streams its answer, so that a watch is one; true unless said otherwise. */
  readonly streaming?: boolean | undefined;
  /** Whether the table goes with the stack; false unless said otherwise. */
  readonly destroyable?: boolean | undefined;
  /** Whether there is a dashboard; true unless said otherwise. */
  readonly dashboard?: boolean | undefined;
  /** From which level on the functions log; `INFO` where nothing is said. */
  readonly logLevel?: string | undefined;
  /**
   * What Winnow derives from objects: `status` of workloads, `endpointslices` of services, `Ready` of pods by their
   * `leases`. With `namespaces`, only in namespaces that ask for it by their label `winnow.dev/derived`. Nothing, unless
   * said otherwise.
   */
  readonly derived?: readonly Derivable[] | undefined;
  /** The network that Services without an address of their own are given one of, as kube-apiserver's `--service-cluster-ip-range`; `10.96.0.0/12` unless said otherwise. Those that have one outside keep it. */
  readonly serviceClusterIPRange?: string | undefined;
  /** Whether pods are bound to nodes as they come; false unless said otherwise. */
  readonly placement?: boolean | undefined;
  /** Whose pods are bound: those that say so in `spec.schedulerName`; `winnow` unless said otherwise. */
  readonly schedulerName?: string | undefined;
  /**
   * What is set of kube-scheduler's profile, for bindings and PlacementReviews, as JSON text: `addedAffinity` of its
   * NodeAffinityArgs, `hardPodAffinityWeight` of its InterPodAffinityArgs; nothing, where it is absent.
   */
  readonly schedulerProfile?: string | undefined;
  /** What is written down of requests: a `Policy` of audit.k8s.io/v1 as JSON text; nothing, where it is absent. */
  readonly auditPolicy?: string | undefined;
  /** The ARN of a standard queue of the same region, which is sent what that has written down beside the log. */
  readonly auditQueue?: string | undefined;
  /**
   * For how many days the audit log is kept, in a log group that stays when the stack is deleted. Without it, audit events
   * are in the log groups of the functions, which keep them for a month and go with the stack.
   */
  readonly auditLogRetention?: number | undefined;
  /** With `auditLogRetention`: `managed`, for a KMS key of the stack's own, or the ARN of one. */
  readonly auditLogKey?: string | undefined;
  /** Whose tokens are taken beside those of principals: an `AuthenticationConfiguration` of apiserver.config.k8s.io as JSON text. */
  readonly authenticationConfig?: string | undefined;
  /** Whether service accounts get tokens, `kubectl create token`; false unless said otherwise. They are signed by a KMS key. */
  readonly serviceAccountTokens?: boolean | undefined;
  /**
   * Whether the deployment tries itself every minute: writes an object of its own, lists it, and awaits its message; false
   * unless said otherwise.
   */
  readonly canary?: boolean | undefined;
  /**
   * How many watches one user may have open at once, each of which is a running function; any number, unless said
   * otherwise. Who may do everything is not bounded.
   */
  readonly watchesPerUser?: number | undefined;
  /**
   * Requests a second and at once that one user may make, all functions together; `off`: any number. `50/200`, unless said
   * otherwise. Administrators are not bounded.
   */
  readonly requestsPerUser?: string | undefined;
  /** After which time delivery stops of a Subscription whose author is a user that is not seen any more: `30d` unless said otherwise. */
  readonly authorNotSeenAfter?: string | undefined;
  /**
   * Lambda concurrency that is reserved for each function, and is also its cap: `off` (the default), `on`, or numbers such
   * as `authorizer=10,read=200`.
   */
  readonly reservedConcurrency?: string | undefined;
  /** Capacity that is paid for by the hour; without it every request is paid for by itself. */
  readonly provisioned?: Provisioned | undefined;
  /** The ARN of the stream of a table that is there already, as `winnow restore` says it; it is used instead of one of the stack's. */
  readonly tableStream?: string | undefined;
  /** `managed`: a KMS key of the stack's own for table and queues; or the ARN of one. Keys of AWS', unless said otherwise. */
  readonly key?: string | undefined;
  /**
   * Settings of which this deployment may lose what they hold: see `GuardedSetting`. Without it a deployment fails that
   * would use another table, drop a key, remove an administrator, or switch off audit. Take it out after the deployment.
   */
  readonly confirmChange?: readonly GuardedSetting[] | undefined;
  /** The directory that holds `<function>/index.mjs` for every function: those of the package, unless said otherwise. */
  readonly bundles?: string | undefined;
  /** An emulator's STS, on loopback. */
  readonly stsEndpoint?: string | undefined;
  /** The emulator that this is for: see `emulators.ts`. */
  readonly emulator?: string | undefined;
}

/**
 * The whole of Winnow, one a stack: docs/architecture.md has the picture. Everything is defined in `infra/constructs`.
 */
export class Winnow extends Construct {
  /** The server in a kubeconfig. */
  readonly url: string;
  /** What tokens are made for, as `aws eks get-token --cluster-name` takes it. */
  readonly clusterId: string;
  readonly #bundles: string;
  readonly #props: WinnowProps;
  readonly #login: Login;
  readonly #parts: readonly Construct[];
  readonly #api: Api;
  readonly #keyArn: string | undefined;
  readonly #access = new Map<string, Access>();
  #provider: SubscriptionProvider | undefined;

  /** @throws {Error} a prefix, a principal or an STS that cannot be. */
  constructor(scope: Construct, id: string, props: WinnowProps) {
    super(scope, id);
    const { destroyable = false, dashboard = true, provisioned, logLevel, auditPolicy } = props;
    const { placement = false, schedulerName = 'winnow', schedulerProfile, serviceClusterIPRange } = props;
    const gaps = gapsOf(props.emulator);
    const bundles = props.bundles ?? packedBundles();
    const prefix = props.prefix ?? defaultPrefix(this);
    const streaming = (props.streaming ?? true) && !gaps.streaming;
    const dataKey = props.key && new DataKey(this, 'DataKey', { key: props.key, destroyable });
    const { key } = dataKey || {};
    const table = new Table(this, 'Storage', {
      destroyable,
      provisioned,
      key,
      stream: props.tableStream,
      gaps,
    });
    const queues = new Queues(this, 'Queues', { prefix, placement, key });
    const login = new Login(this, 'Login', { ...props, bundles, prefix, gaps });
    const placing = { schedulerName, schedulerProfile, serviceClusterIPRange };
    const shared = { bundles, table, queues, login, streaming, ...placing, logLevel };
    const { auditQueue, watchesPerUser, requestsPerUser = DEFAULT_REQUEST_RATE, authorNotSeenAfter } = props;
    const auditLog = auditLogOf(this, props)?.logGroup;
    const counted = { watchesPerUser, requestsPerUser, authorNotSeenAfter };
    const answering = { auditPolicy, auditQueue, auditLog, ...counted, subscribing: props };
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
      queues,
      derivation,
      tokens,
      canary,
      gaps,
    });
    if (dashboard && !gaps.dashboard) {
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
    const message = 'Nobody is let in: there is no deployer to be found, and no -c principals=<ARN>,…';
    Annotations.of(this).addWarningV2('winnow:nobody', message);
  }

  /** Lets a role in, which may do everything from then on. */
  grantAccess(role: IRole): void {
    this.#login.allow(role.roleArn);
  }

  /**
   * A Subscription that is created, updated and deleted with the stack.
   *
   * @throws {Error} for an emulator that has no custom resources.
   */
  subscribe(id: string, props: SubscriptionProps): Subscription {
    const provider = this.#providerOf(id, 'the Subscription');
    const subscription = new Subscription(this, id, { ...props, provider, keyArn: this.#keyArn });
    // It goes before all that deletes its queue.
    subscription.node.addDependency(...this.#parts, provider);
    return subscription;
  }

  /**
   * Lets a role or a user in, which may read what the ClusterRole `view` says: by an AccessEntry and a binding that are
   * created, updated and deleted with the stack.
   *
   * @throws {Error} it has no ARN; for an emulator that has no custom resources.
   */
  grantRead(grantee: IGrantable, props: GrantProps = {}): void {
    this.#accessOf(grantee).bind('view', props);
  }

  /** The same, and it may write what the ClusterRole `edit` says. */
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

  /** @throws {Error} the emulator has no custom resources: `what` is to be applied by hand. */
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

  /** Where nothing is derived there is nothing that would. */
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
    // An emulator's gateway is behind its one endpoint, whatever names resolve.
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
