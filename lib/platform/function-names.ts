/** The entry points in `functions/`, which are bundled, deployed and run locally. */
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

/** The entry points behind a gateway without an authorizer: the same functions, each of which checks the login. */
export const WITH_LOGIN = {
  read: 'read-with-login',
  write: 'write-with-login',
  place: 'place-with-login',
} as const;

/** The metadata key of a function's resource in the template; its value is one of `functionNames`. */
export const ENTRY_POINT_METADATA = 'winnow:entryPoint';
