import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import { SERVICE_ACCOUNTS } from '../../../kubernetes/lifecycle/index.ts';
import { isMirrorPod } from '../../../kubernetes/pods/index.ts';
import { DEFAULT_ACCOUNT, ensureDefaultAccount } from '../../objects/index.ts';
import { forbidden } from '../../status/index.ts';
import type { Admission, AdmissionRequest, ServiceAccounts } from '../admission-request.ts';
import { ephemeralSecretError, secretError } from './secret-errors.ts';
import { mirrorError, withAccount } from './with-account.ts';

/** The write of a pod, with its service account. */
export interface AccountRequest extends AdmissionRequest {
  readonly accounts: ServiceAccounts;
}

/**
 * Kubernetes' ServiceAccount admission of one pod. A new pod gets the account `default` if it names none, the account's
 * token in each container, and its pull secrets.
 *
 * @see k8s.io/kubernetes/plugin/pkg/admission/serviceaccount
 */
export async function accountAdmission(
  request: AccountRequest,
): Promise<Pick<Admission, 'complete' | 'refuse'>> {
  const { type, body, exists, namespace, random } = request;
  const refuse = (pod: JsonObject, why: string | undefined) => {
    if (why !== undefined) throw forbidden(type, String(metadataOf(pod).name ?? ''), why);
  };
  if (isMirrorPod(body) && !exists) {
    return {
      complete: (sent) => {
        refuse(sent, mirrorError(sent));
        return sent;
      },
      refuse: () => {},
    };
  }
  const { serviceAccountName, serviceAccount } = objectAt(body.spec);
  const name = String(serviceAccountName || serviceAccount || DEFAULT_ACCOUNT);
  const account = await readAccount(request, name);
  const missing = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  return {
    complete: (sent) => {
      if (account === undefined) throw forbidden(type, String(metadataOf(sent).name ?? ''), missing);
      const completed = withAccount(sent, account, random);
      refuse(sent, secretError(completed, account));
      return completed;
    },
    refuse: (pod) => {
      if (exists) refuse(pod, account === undefined ? missing : ephemeralSecretError(pod, account));
    },
  };
}

/** The account of a pod. The account `default` of an existing namespace is created if it is absent. */
async function readAccount(request: AccountRequest, name: string): Promise<JsonObject | undefined> {
  const { store, namespace, dryRun, accounts } = request;
  const read = async () => (await store.get(SERVICE_ACCOUNTS, { namespace, name }))?.body;
  const found = await read();
  if (found !== undefined || name !== DEFAULT_ACCOUNT) return found;
  // A dry run creates nothing, but the real write would.
  if (dryRun) return { metadata: { name, namespace } };
  await ensureDefaultAccount({ ...accounts, ...request }, namespace);
  return read();
}
