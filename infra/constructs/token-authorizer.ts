import { Duration } from 'aws-cdk-lib';
import { TokenAuthorizer as GatewayAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import { WinnowFunction } from './winnow-function.ts';

export interface TokenAuthorizerProps {
  readonly bundles: string;
}

/** One bearer token for the whole API, generated at deploy and kept in Secrets Manager. */
export class TokenAuthorizer extends Construct {
  /** Of the secret that holds the token. Its attribute `Id`, not its `Ref`, which MiniStack makes a name. */
  readonly secretArn: string;
  readonly authorizer: GatewayAuthorizer;

  constructor(scope: Construct, id: string, { bundles }: TokenAuthorizerProps) {
    super(scope, id);
    const secret = new Secret(this, 'Token', {
      description: 'The bearer token that every request to Winnow carries',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    this.secretArn = (secret.node.defaultChild as CfnSecret).attrId;
    const { function: handler, role } = new WinnowFunction(this, 'Authorizer', {
      bundles,
      name: 'authorizer',
      description: 'compares the bearer token of a request with the secret',
      timeout: Duration.seconds(5),
      memorySize: 256,
      environment: { [ENVIRONMENT.tokenSecretArn]: this.secretArn },
    });
    role.addToPrincipalPolicy(
      new PolicyStatement({
        sid: 'ReadToken',
        actions: ['secretsmanager:GetSecretValue'],
        resources: [this.secretArn],
      }),
    );
    this.authorizer = new GatewayAuthorizer(this, 'Gateway', {
      handler,
      validationRegex: '^[Bb]earer +[^ ]+$',
      resultsCacheTtl: Duration.minutes(1),
    });
  }
}
