import type { UserInfo } from '../../../lib/server/index.ts';

/** The caller in tests that do not depend on the caller: the user by whom the golden answers were recorded. */
export const ADMIN: UserInfo = {
  username: 'admin',
  uid: 'admin',
  groups: ['system:masters', 'system:authenticated'],
};
