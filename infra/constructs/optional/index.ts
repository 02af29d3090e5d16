/** The parts that only some deployments have. */
export { Canary } from './canary.ts';
export { Derivation } from './derivation.ts';
export { DerivationPermissions, type DerivationPermissionsProps } from './derivation-permissions.ts';
export { ServiceAccountTokens } from './service-account-tokens.ts';
