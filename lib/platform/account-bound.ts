/**
 * The AWS accounts that may receive messages of Subscriptions, besides the deployment's own account: none, those of an
 * organization, or those of a list.
 */
export type AccountBound =
  | { readonly kind: 'own' }
  | { readonly kind: 'organization'; readonly id: string }
  | { readonly kind: 'accounts'; readonly accounts: readonly string[] };

const ORGANIZATION = /^org:(o-[a-z0-9]{10,32})$/;
const ACCOUNT = /^\d{12}$/;

/**
 * Reads the setting `consumers`: `own`, `org:o-…`, or account numbers separated by commas, which may include `own`.
 *
 * @throws {Error} any other text
 */
export function readAccountBound(text: string): AccountBound {
  const [, id] = ORGANIZATION.exec(text) ?? [];
  if (id !== undefined) return { kind: 'organization', id };
  const words = text.split(',').map((word) => word.trim());
  const accounts = [...new Set(words.filter((word) => word !== 'own'))];
  if (accounts.every((account) => ACCOUNT.test(account))) {
    return accounts.length === 0 ? { kind: 'own' } : { kind: 'accounts', accounts };
  }
  throw new Error(
    `the setting consumers is ${JSON.stringify(text)}: it must be own, org:<the id of an organization>, or account numbers with commas between them`,
  );
}

/** Prints the setting in the form that {@link readAccountBound} reads. */
export function printAccountBound(bound: AccountBound): string {
  switch (bound.kind) {
    case 'organization':
      return `org:${bound.id}`;
    case 'accounts':
      return bound.accounts.join(',');
    default:
      return 'own';
  }
}
