/** The entry points in `functions/`: what is bundled, deployed and run locally. */
export const functionNames = [
  'read',
  'write',
  'place',
  'bind',
  'relay',
  'dispatch',
  'reconcile',
  'derive',
  'canary',
  'fill',
  'authorizer',
  'issue',
  'read-with-login',
  'write-with-login',
  'place-with-login',
  'subscription-resource',
  'settings-guard',
] as const;

export type FunctionName = (typeof functionNames)[number];

/** What runs where the front door has no authorizer: the same, and each asks for the login by itself. */
export const WITH_LOGIN = {
  read: 'read-with-login',
  write: 'write-with-login',
  place: 'place-with-login',
} as const;

/** Under this key a function's resource in the template says which of `functionNames` it runs. */
export const ENTRY_POINT_METADATA = 'winnow:entryPoint';
