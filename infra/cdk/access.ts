import { createHash } from 'node:crypto';
import { CustomResource, Names, Stack } from 'aws-cdk-lib';
import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { SubscriptionProvider } from './subscription-provider.ts';

const RBAC = 'rbac.authorization.k8s.io';
/** The longest name before its digest. */
const MAXIMUM_NAME = 50;

/** The scope of a grant. */
export interface GrantProps {
  /** The namespace of the permission, which must exist; default: all namespaces. */
  readonly namespace?: string;
}

export interface AccessProps {
  readonly provider: SubscriptionProvider;
  /** The ARN of the IAM role or user that gets access. */
  readonly principal: string;
}

/** The access of an IAM role or user to the API: an AccessEntry, and bindings for its username. */
export class Access extends Construct {
  /** The username in the AccessEntry. It contains the construct's path, so that it is unique. */
  readonly username: string;
  readonly #provider: SubscriptionProvider;
  readonly #bound = new Set<string>();

  constructor(scope: Construct, id: string, { provider, principal }: AccessProps) {
    super(scope, id);
    this.#provider = provider;
    this.username = `cdk:${Stack.of(this).stackName}/${this.node.path}`;
    const name = nameOf(this, '');
    this.#object('Entry', `apis/winnow.dev/v1/accessentries/${name}`, {
      apiVersion: 'winnow.dev/v1',
      kind: 'AccessEntry',
      metadata: { name },
      spec: { principal, username: this.username },
    });
  }

  /** Binds the username to a ClusterRole. Further calls with the same arguments have no effect. */
  bind(clusterRole: string, { namespace }: GrantProps): void {
    const id = `${clusterRole}-${namespace ?? '*'}`;
    if (this.#bound.has(id)) return;
    this.#bound.add(id);
    const name = nameOf(this, id);
    const [kind, root] =
      namespace === undefined
        ? ['ClusterRoleBinding', 'clusterrolebindings']
        : ['RoleBinding', `namespaces/${namespace}/rolebindings`];
    this.#object(id, `apis/${RBAC}/v1/${root}/${name}`, {
      apiVersion: `${RBAC}/v1`,
      kind,
      metadata: { name, ...(namespace !== undefined && { namespace }) },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: clusterRole },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: this.username }],
    });
  }

  #object(id: string, path: string, object: object): void {
    new CustomResource(this, id, {
      serviceToken: this.#provider.serviceToken,
      resourceType: 'Custom::WinnowObject',
      properties: { path, object: Stack.of(this).toJsonString(object) },
    });
  }
}

/**
 * The name of an object. A binding is immutable, so its name contains what it binds, and a change creates a new
 * binding.
 */
function nameOf(scope: Construct, what: string): string {
  const name = Names.uniqueResourceName(scope, { maxLength: MAXIMUM_NAME, separator: '-' }).toLowerCase();
  return `${name}-${createHash('sha256').update(`${scope.node.path} ${what}`).digest('hex').slice(0, 8)}`;
}

/**
 * The ARN of an IAM role or user.
 *
 * @throws {Error} the grantee is not an IAM role or user
 */
export function principalArn({ grantPrincipal }: IGrantable): string {
  const known = grantPrincipal as IPrincipal & { readonly roleArn?: string; readonly userArn?: string };
  const arn = known.roleArn ?? known.userArn;
  if (arn === undefined) throw new Error(`${grantPrincipal} is not an IAM role or user, so it cannot log in`);
  return arn;
}
