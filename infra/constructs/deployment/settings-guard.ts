import { Aspects, Aws, CfnResource, CustomResource, Duration, type IAspect } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import type { GuardedSetting, StoredSettings } from '../../../lib/guarded-settings/index.ts';
import { parsePolicy } from '../../../lib/kubernetes/audit/index.ts';
import { canonical, WinnowFunction } from '../functions/index.ts';
import type { Table } from '../storage/index.ts';

export interface SettingsGuardProps {
  readonly bundles: string;
  readonly logLevel?: string | undefined;
  readonly table: Table;
  readonly prefix: string;
  readonly destroyable: boolean;
  readonly principals: readonly string[];
  readonly tableStream?: string | undefined;
  readonly key?: string | undefined;
  readonly auditPolicy?: string | undefined;
  readonly auditQueue?: string | undefined;
  readonly auditLogRetention?: number | undefined;
  readonly auditLogKey?: string | undefined;
  readonly serviceAccountTokens?: boolean | undefined;
  readonly confirmChange?: readonly GuardedSetting[] | undefined;
}

/**
 * A custom resource whose properties are the guarded settings, so that the stack stores them. CloudFormation passes
 * the old and the new settings to its function with each update. All other resources of Winnow depend on it, so an
 * update that would lose data fails before any of them changes.
 *
 * Its logical id and that of its function do not depend on the path of the construct. So if an app moves or renames
 * the construct, which would replace the table, the update reaches this resource and is refused too.
 */
export class SettingsGuard extends Construct {
  constructor(scope: Construct, id: string, props: SettingsGuardProps) {
    super(scope, id);
    const { bundles, logLevel, confirmChange = [] } = props;
    const guard = new WinnowFunction(this, 'Compare', {
      bundles,
      logLevel,
      name: 'settings-guard',
      description: 'refuses a deployment that would lose the table, a key, an administrator or the audit log',
      timeout: Duration.minutes(1),
      memorySize: 256,
      environment: {},
    });
    // Only the status of the stack shows a rollback.
    guard.role.addToPrincipalPolicy(
      new PolicyStatement({
        sid: 'ReadOwnStatus',
        actions: ['cloudformation:DescribeStacks'],
        resources: [Aws.STACK_ID],
      }),
    );
    const resource = new CustomResource(this, 'Stored', {
      serviceToken: guard.function.functionArn,
      serviceTimeout: Duration.minutes(5),
      resourceType: 'Custom::WinnowSettings',
      properties: { ...storedOf(props), confirmChange },
    });
    const stored = elementOf(resource);
    stored.overrideLogicalId('WinnowSettings');
    elementOf(guard.function).overrideLogicalId('WinnowSettingsFunction');
    stored.node.addDependency(guard);
    Aspects.of(scope).add(new DependingOn(stored, this));
  }
}

/** Makes every resource below a construct depend on one resource, except the resources that this one needs itself. */
class DependingOn implements IAspect {
  readonly #first: CfnResource;
  readonly #except: Construct;

  constructor(first: CfnResource, except: Construct) {
    this.#first = first;
    this.#except = except;
  }

  visit(node: IConstruct): void {
    if (!CfnResource.isCfnResource(node) || node.node.scopes.includes(this.#except)) return;
    node.addResourceDependency(this.#first);
  }
}

function storedOf(props: SettingsGuardProps): StoredSettings {
  const { table, tableStream, auditPolicy } = props;
  return {
    table: tableStream === undefined ? elementOf(table.table).logicalId : '',
    tableStream: tableStream ?? '',
    destroyable: String(props.destroyable),
    prefix: props.prefix,
    principals: props.principals.map(canonical),
    key: props.key ?? '',
    serviceAccountTokens: String(props.serviceAccountTokens ?? false),
    auditPolicy: auditPolicy !== undefined && writesEvents(auditPolicy) ? 'on' : '',
    auditQueue: props.auditQueue ?? '',
    auditLogRetention: String(props.auditLogRetention ?? ''),
    auditLogKey: props.auditLogKey ?? '',
  };
}

function writesEvents(auditPolicy: string): boolean {
  return parsePolicy(JSON.parse(auditPolicy)).rules.some(({ level }) => level !== 'None');
}

function elementOf(construct: IConstruct): CfnResource {
  return construct.node.defaultChild as CfnResource;
}
