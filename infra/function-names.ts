/** The entry points in `functions/`: what is bundled, deployed and run locally. */
export const functionNames = ['read', 'write', 'relay', 'dispatch', 'reconcile', 'authorizer'] as const;

export type FunctionName = (typeof functionNames)[number];

/** Under this key a function's resource in the template says which of `functionNames` it runs. */
export const ENTRY_POINT_METADATA = 'winnow:entryPoint';
