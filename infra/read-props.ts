import { provisionedOf } from './billing.ts';
import type { WinnowProps } from './cdk/index.ts';
import { readAuditPolicy } from './read-audit-policy.ts';
import { readAuthenticationConfig } from './read-authentication-config.ts';
import { readSchedulerProfile } from './read-scheduler-profile.ts';
import { readWebhooks } from './read-webhooks.ts';
import type { Settings } from './settings/index.ts';

/** All props except `bundles`, the folder of the functions, which is not a setting. Each field is required. */
type PropsOfSettings = {
  readonly [Name in Exclude<keyof WinnowProps, 'bundles'>]-?: WinnowProps[Name] | undefined;
} & Pick<WinnowProps, 'principals'>;

/**
 * Converts settings into props of the construct, with the content of the files that the settings name.
 * The compiler refuses a setting without a prop, and a prop without a setting.
 *
 * @param deployer the ARN of the principal that deploys, which is the administrator if no principals are set
 * @throws {Error} a file cannot be read or is invalid, or settings exclude each other
 */
export async function readProps(settings: Settings, deployer?: string): Promise<PropsOfSettings> {
  const {
    stackName,
    configFile: _,
    prefix,
    principals,
    auditPolicy,
    webhooks,
    authenticationConfig,
    ...some
  } = settings;
  const { addedAffinity, hardPodAffinityWeight, ...others } = some;
  const { billing, readCapacity, writeCapacity, targetUtilization, ...same } = others;
  return {
    ...(same satisfies Pick<PropsOfSettings, keyof typeof same>),
    prefix: prefix ?? stackName.toLowerCase(),
    principals: principals ?? (deployer === undefined ? [] : [deployer]),
    provisioned: provisionedOf({ billing, readCapacity, writeCapacity, targetUtilization }),
    auditPolicy: auditPolicy === undefined ? undefined : await readAuditPolicy(auditPolicy),
    webhooks: webhooks === undefined ? undefined : await readWebhooks(webhooks),
    authenticationConfig:
      authenticationConfig === undefined ? undefined : await readAuthenticationConfig(authenticationConfig),
    schedulerProfile: await readSchedulerProfile({ addedAffinity, hardPodAffinityWeight }),
  };
}
