/** Few words, so that requests often match rules. */
export const NAMESPACES = ['default', 'fleet', 'kube-system'];
export const USERS = ['jane', 'jo "the" admin', 'system:serviceaccount:fleet:robot', 'system:anonymous'];
export const GROUPS = [
  'developers',
  'system:authenticated',
  'system:serviceaccounts:fleet',
  'system:masters',
];
export const ACCOUNTS = ['robot', 'default'];
export const ROLES = ['viewer', 'editor', 'owner'];
export const MISSING_ROLE = 'ghost';
export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'delete', 'impersonate'];
export const API_GROUPS = ['', 'apps', 'fleet.example'];
export const RESOURCES = ['pods', 'deployments', 'devices'];
export const SUBRESOURCES = ['status', 'scale', 'log'];
export const NAMES = ['cam-1', 'cam-2'];
export const PATHS = ['/healthz', '/healthz/ready', '/version', '/apis', '/'];
export const PATH_PATTERNS = ['/healthz', '/healthz/*', '/health*', '/*', '*', '/apis**'];
