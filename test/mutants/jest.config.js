import base from '../../jest.config.js';

/** The tests of `npm test`, on code that holds its mutants. Used by `npm run mutate`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/lib', '<rootDir>/functions', '<rootDir>/infra', '<rootDir>/test'],
  transform: {
    '/lib/(json|kubernetes/(lifecycle|winnow)|store|coordination|delivery|controllers)/.*\\.ts$':
      '<rootDir>/test/mutants/jest-transform.js',
    ...base.transform,
  },
  resolver: '<rootDir>/test/mutants/jest-resolver.cjs',
  setupFiles: ['<rootDir>/test/mutants/jest-setup.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/mutants/jest-met.ts'],
};
