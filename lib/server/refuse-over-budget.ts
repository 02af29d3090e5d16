import { type ApiOptions, type ApiRequest, MASTERS } from './http/index.ts';
import { ApiError } from './status/index.ts';

/** The name of a session that an IAM user chose (`sts:GetFederationToken`). */
const FEDERATED_NAME = /(:federated-user)\/.*$/;

/**
 * Counts a request against the budget of the user that the login named. An impersonated request counts against the
 * caller. `system:masters` has no budget.
 *
 * @throws ApiError 429 the user's budget is used up
 */
export async function refuseOverBudget(
  { budget }: Pick<ApiOptions, 'budget'>,
  request: Pick<ApiRequest, 'user' | 'principal'>,
): Promise<void> {
  const { user } = request;
  if (budget === undefined || user.groups.includes(MASTERS)) return;
  const refused = await budget.take(payerOf(request));
  if (refused === undefined) return;
  const { rate, burst } = budget;
  throw new ApiError(
    429,
    'TooManyRequests',
    `Too many requests, please try again later: user "${user.username}" may make ${rate} requests a second, and ${burst} at once`,
    { ...refused },
  );
}

/** The key of a request's budget. For IAM it is the principal, independent of AccessEntries and session names. */
function payerOf({ user, principal }: Pick<ApiRequest, 'user' | 'principal'>): string {
  return principal?.replace(FEDERATED_NAME, '$1') ?? user.username;
}
