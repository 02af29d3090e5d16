import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../../json/index.ts';

const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';
/** The values that Go's ParseBool takes for true. */
const TRUE = /^(1|t|T|true|TRUE|True)$/;

/**
 * The first secret of a new pod that its service account does not list, as an error. Accounts without the annotation
 * `kubernetes.io/enforce-mountable-secrets: "true"` allow every secret.
 */
export function secretError({ spec }: JsonObject, account: JsonObject): string | undefined {
  if (!isEnforced(account)) return undefined;
  const { volumes, initContainers, containers, imagePullSecrets } = objectAt(spec);
  const { name } = metadataOf(account);
  const pulls = namesIn(account.imagePullSecrets);
  const image = objectsIn(imagePullSecrets).findIndex((one) => !pulls.has(String(one.name)));
  const pulled = objectsIn(imagePullSecrets)[image]?.name;
  return (
    unlisted(account, [
      ...objectsIn(volumes).map(({ secret }) => ({ text: 'volume with', name: objectAt(secret).secretName })),
      ...usedBy('init container', initContainers),
      ...usedBy('container', containers),
    ]) ??
    (image < 0
      ? undefined
      : `imagePullSecrets[${image}].name="${pulled}" is not allowed because service account ${name} does not reference that imagePullSecret`)
  );
}

/** The same for the ephemeral containers of a changed pod. */
export function ephemeralSecretError({ spec }: JsonObject, account: JsonObject): string | undefined {
  if (!isEnforced(account)) return undefined;
  return unlisted(account, usedBy('ephemeral container', objectAt(spec).ephemeralContainers));
}

function isEnforced(account: JsonObject): boolean {
  return TRUE.test(String(objectAt(metadataOf(account).annotations)[ENFORCED] ?? ''));
}

/** A reference to a secret. `text` is the beginning of the error message. */
interface Use {
  readonly text: string;
  readonly name: JsonValue | undefined;
}

function unlisted(account: JsonObject, uses: readonly Use[]): string | undefined {
  const listed = namesIn(account.secrets);
  const found = uses.find(({ name }) => name !== undefined && !listed.has(String(name)));
  if (found === undefined) return undefined;
  const { name } = metadataOf(account);
  return `${found.text} secret.secretName="${found.name}" is not allowed because service account ${name} does not reference that secret`;
}

function usedBy(what: string, containers: JsonValue | undefined): readonly Use[] {
  return objectsIn(containers).flatMap(({ name, env, envFrom }) => [
    ...objectsIn(env).map(({ name: variable, valueFrom }) => ({
      text: `${what} ${name} with envVar ${variable} referencing`,
      name: objectAt(objectAt(valueFrom).secretKeyRef).name,
    })),
    ...objectsIn(envFrom).map(({ secretRef }) => ({
      text: `${what} ${name} with envFrom referencing`,
      name: objectAt(secretRef).name,
    })),
  ]);
}

function namesIn(references: JsonValue | undefined): ReadonlySet<string> {
  return new Set(objectsIn(references).map(({ name }) => String(name)));
}
