import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Names, Stack } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Provisioned } from '../billing.ts';
import {
  Acknowledged,
  Alarms,
  Api,
  Dashboard,
  EventSources,
  Functions,
  Login,
  Outputs,
  Permissions,
  Queues,
  Table,
} from '../constructs/index.ts';
import { gapsOf } from '../emulators.ts';
import { Subscription, type SubscriptionProps } from './subscription.ts';
import { SubscriptionProvider } from './subscription-provider.ts';

export interface WinnowProps {
  /** ARNs of the users and roles that are let in. Whoever is may do everything. */
  readonly principals: readonly string[];
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
  /** Capacity that is paid for by the hour; without it every request is paid for by itself. */
  readonly provisioned?: Provisioned | undefined;
  /** The directory that holds `<function>/index.mjs` for every function: those of the package, unless said otherwise. */
  readonly bundles?: string | undefined;
  /** An emulator's STS, on loopback. */
  readonly stsEndpoint?: string | undefined;
  /** The emulator that this is for: see `emulators.ts`. */
  readonly emulator?: string | undefined;
}

/** Beside `dist/infra/cdk`, where the package has this file. */
const PACKED_BUNDLES = join(import.meta.dirname, '../../functions');
const MAXIMUM_PREFIX = 24;

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
  #provider: SubscriptionProvider | undefined;

  /** @throws {Error} a prefix, a principal or an STS that cannot be. */
  constructor(scope: Construct, id: string, props: WinnowProps) {
    super(scope, id);
    const { destroyable = false, dashboard = true, provisioned, logLevel } = props;
    const gaps = gapsOf(props.emulator);
    const bundles = props.bundles ?? packedBundles();
    const prefix = props.prefix ?? defaultPrefix(this);
    const streaming = (props.streaming ?? true) && !gaps.streaming;
    const table = new Table(this, 'Storage', { destroyable, provisioned, gaps });
    const queues = new Queues(this, 'Queues', { prefix });
    const login = new Login(this, 'Login', { ...props, bundles, prefix, gaps });
    const shared = { bundles, table, queues, login, streaming, logLevel };
    const functions = new Functions(this, 'Functions', shared);
    const permissions = new Permissions(this, 'Permissions', { functions, table, queues, gaps });
    const sources = new EventSources(this, 'EventSources', { functions, table, queues });
    const api = new Api(this, 'Api', { functions, login, streaming, gaps });
    const alarms = new Alarms(this, 'Alarms', { api, functions, login, queues });
    if (dashboard && !gaps.dashboard) {
      new Dashboard(this, 'Dashboard', { alarms, api, functions, login, queues, table });
    }
    new Outputs(this, { api, table, queues, login, alarms, props });
    new Acknowledged({ api, functions, queues });
    this.#bundles = bundles;
    this.#props = props;
    this.#login = login;
    this.#api = api;
    this.#parts = [table, queues, login, functions, permissions, sources, api];
    this.url = api.rest.url;
    this.clusterId = login.clusterId;
    if (Object.keys(gaps).length > 0) Stack.of(this).templateOptions.metadata = { 'winnow:gaps': gaps };
    if (props.principals.length > 0) return;
    const message = 'Nobody is let in: there is no deployer to be found, and no -c principals=<ARN>,…';
    Annotations.of(this).addWarningV2('winnow:nobody', message);
  }

  /** Lets a role in, which may do everything from then on: who is let in is not told apart. */
  grantAccess(role: IRole): void {
    this.#login.allow(role.roleArn);
  }

  /**
   * A Subscription that is created, updated and deleted with the stack.
   *
   * @throws {Error} for an emulator that has no custom resources.
   */
  subscribe(id: string, props: SubscriptionProps): Subscription {
    const { 'custom-resources': gap } = gapsOf(this.#props.emulator);
    if (gap !== undefined) {
      throw new Error(
        `${id}: ${this.#props.emulator} has no custom resources: apply the Subscription with kubectl`,
      );
    }
    this.#provider ??= this.#makeProvider();
    const subscription = new Subscription(this, id, { ...props, provider: this.#provider });
    // It goes before all that deletes its queue.
    subscription.node.addDependency(...this.#parts, this.#provider);
    return subscription;
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

function packedBundles(): string {
  if (existsSync(join(PACKED_BUNDLES, 'read/index.mjs'))) return PACKED_BUNDLES;
  throw new Error('the functions are bundled in the published package only: say where the bundles are');
}

function defaultPrefix(scope: Construct): string {
  const options = { maxLength: MAXIMUM_PREFIX, separator: '-', allowedSpecialCharacters: '-' };
  return Names.uniqueResourceName(scope, options).toLowerCase();
}
