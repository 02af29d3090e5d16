import { Duration } from 'aws-cdk-lib';
import { TokenAuthorizer as GatewayAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import { WinnowFunction } from './winnow-function.ts';

export interface TokenAuthorizerProps {
  readonly bundles: string;
}

/** One bearer token for the whole API, generated at deploy and kept in Secrets Manager. */
export class TokenAuthorizer extends Construct {
  readonly secret: Secret;
  readonly authorizer: GatewayAuthorizer;

  constructor(scope: Construct, id: string, { bundles }: TokenAuthorizerProps) {
    super(scope, id);
    this.secret = new Secret(this, 'Token', {
      description: 'The bearer token that every request to Winnow carries',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    const { function: handler, role } = new WinnowFunction(this, 'Authorizer', {
      bundles,
      name: 'authorizer',
      description: 'compares the bearer token of a request with the secret',
      timeout: Duration.seconds(5),
      memorySize: 256,
      environment: { [ENVIRONMENT.tokenSecretArn]: this.secret.secretArn },
    });
    role.addToPrincipalPolicy(
      new PolicyStatement({
        sid: 'ReadToken',
        actions: ['secretsmanager:GetSecretValue'],
        resources: [this.secret.secretArn],
      }),
    );
    this.authorizer = new GatewayAuthorizer(this, 'Gateway', {
      handler,
      validationRegex: '^[Bb]earer +[^ ]+$',
      resultsCacheTtl: Duration.minutes(1),
    });
  }
}
