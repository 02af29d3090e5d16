import { createVerifier, parsePrincipal } from '../lib/login/index.ts';
import { systemClock as clock, ENVIRONMENT } from '../lib/platform/index.ts';
import { type Admit, type AdmitOptions, createAdmit, createAskSts } from './http/index.ts';
import { required } from './required.ts';

/** The login of this deployment, as the environment says. Throws at load where that does not say all of it. */
export function createLogin(heard: Pick<AdmitOptions, 'logger' | 'metrics'>): Admit {
  const verify = createVerifier({
    clusterId: required('clusterId'),
    partition: required('partition'),
    ask: createAskSts({ endpoint: process.env[ENVIRONMENT.stsEndpoint] }),
    clock,
  });
  const named: readonly string[] = JSON.parse(required('principals'));
  // A role of the deployer's own app is named when it is deployed, and may have a path.
  const principals = new Set(named.map((arn) => parsePrincipal(arn)?.arn ?? arn));
  return createAdmit({ ...heard, verify, principals });
}
