import type { UserInfo } from '../../../lib/server/index.ts';

/** Who asks where a test does not care who does: the user by whom the golden answers were recorded. */
export const ADMIN: UserInfo = {
  username: 'admin',
  uid: 'admin',
  groups: ['system:masters', 'system:authenticated'],
};
