import { join } from 'node:path';
import { type CfnResource, type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  type RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ENTRY_POINT_METADATA, type FunctionName } from '../../../lib/platform/index.ts';

export interface WinnowFunctionProps {
  readonly name: FunctionName;
  /** The directory that holds `<name>/index.mjs`. */
  readonly bundles: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Set for functions that wake each other through queues and limit such chains themselves. Otherwise Lambda would take
   * a backlog for an endless loop, and stop it after 16 rounds.
   */
  readonly recursiveLoop?: RecursiveLoop;
  /** The least severe level that it logs; default: `INFO`. */
  readonly logLevel?: string | undefined;
  /** Whether it publishes metrics, which cost money; default: false. */
  readonly metrics?: boolean | undefined;
  /** The log group; default: its own. */
  readonly logGroup?: ILogGroup | undefined;
}

/** A Lambda function with the common defaults: runtime, log retention, and a role that may only write its log group. */
export class WinnowFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;
  /** The log group that it writes to now. */
  readonly logGroup: ILogGroup;
  /** The entry point in `functions/`. */
  readonly entryPoint: FunctionName;

  constructor(scope: Construct, id: string, props: WinnowFunctionProps) {
    super(scope, id);
    const { name, bundles, logLevel, metrics = false, logGroup: shared, ...settings } = props;
    this.entryPoint = name;
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Winnow ${name}: ${settings.description}`,
    });
    const own = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The function keeps its own log group when it logs elsewhere, because the group holds earlier logs.
    for (const group of [own, ...(shared ? [shared] : [])]) group.grantWrite(this.role);
    this.logGroup = shared ?? own;
    this.function = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(bundles, name)),
      handler: 'index.handler',
      role: this.role,
      logGroup: this.logGroup,
      ...settings,
      environment: {
        // The dimension `service` of the metrics. In logs `service` is the function, which sets it itself.
        POWERTOOLS_SERVICE_NAME: Stack.of(this).stackName,
        ...(metrics ? {} : { POWERTOOLS_METRICS_DISABLED: 'true' }),
        ...(logLevel === undefined ? {} : { POWERTOOLS_LOG_LEVEL: logLevel }),
        ...settings.environment,
      },
    });
    (this.function.node.defaultChild as CfnResource).addMetadata(ENTRY_POINT_METADATA, name);
  }
}
